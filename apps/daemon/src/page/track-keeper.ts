import {
  RANGES,
  SERIES,
  type PagePoint,
  type RangeName,
  type SeriesName,
  type Track,
} from '@monero-node/dashboard';

/** Keeps the values of one range, evenly spaced, and forgets the oldest. */
export class TrackKeeper {
  readonly #step: number;
  readonly #most: number;
  readonly #series = new Map<SeriesName, (number | null)[]>();
  #end = 0;

  /** @param names series to keep; values of others are dropped */
  constructor(range: RangeName, names: readonly SeriesName[] = SERIES) {
    this.#step = RANGES[range].step;
    this.#most = RANGES[range].points;
    for (const name of names) this.#series.set(name, []);
  }

  /**
   * Adds the values of a step. Steps that were missed are empty; a clock that was set back begins anew.
   *
   * @param at Unix seconds, a multiple of the step
   */
  add(at: number, values: PagePoint): void {
    const steps = this.#end === 0 ? 1 : Math.round((at - this.#end) / this.#step);
    const missed = Math.min(steps - 1, this.#most);
    for (const [name, points] of this.#series) {
      if (steps < 1) points.length = 0;
      for (let i = 0; i < missed; i++) points.push(null);
      points.push(values[name] ?? null);
      points.splice(0, points.length - this.#most);
    }
    this.#end = at;
  }

  get track(): Track {
    return { end: this.#end, series: Object.fromEntries(this.#series) };
  }
}
