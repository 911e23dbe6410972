import {
  RANGES,
  SERIES,
  type PagePoint,
  type RangeName,
  type SeriesName,
  type Track,
  type History,
  type PointChange,
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

/** Samples whose mean is one point of the day. */
const SAMPLES_PER_POINT = RANGES.day.step / RANGES.hour.step;

/** Keeps what is measured over time: the last hour, and the means of a day. */
export class HistoryKeeper {
  readonly #hour: TrackKeeper;
  readonly #day: TrackKeeper;
  readonly #names: readonly SeriesName[];
  #samples: PagePoint[] = [];
  #minute = 0;
  #at = 0;

  constructor(names: readonly SeriesName[] = SERIES) {
    this.#names = names;
    this.#hour = new TrackKeeper('hour', names);
    this.#day = new TrackKeeper('day', names);
  }

  /**
   * Adds a sample. Returns the points that it has completed.
   *
   * @param seconds Unix time
   */
  add(seconds: number, sample: PagePoint): PointChange[] {
    const values = pick(sample, this.#names);
    const at = this.#timeOf(seconds);
    const minute = startOf(at, RANGES.day.step);
    const finished = this.#samples.length > 0 && minute !== this.#minute;
    const points: PointChange[] = [{ range: 'hour', at, values }];
    if (finished) points.push(this.#finishMinute());
    this.#minute = minute;
    this.#samples.push(values);
    if (this.#samples.length > SAMPLES_PER_POINT) this.#samples.shift();
    this.#hour.add(at, values);
    return points;
  }

  get history(): History {
    return { hour: this.#hour.track, day: this.#day.track };
  }

  /** Returns the time of a sample. One that is a little early or late must not leave a step empty. */
  #timeOf(seconds: number): number {
    const { step } = RANGES.hour;
    const next = this.#at + step;
    this.#at = Math.abs(seconds - next) < step ? next : Math.round(seconds / step) * step;
    return this.#at;
  }

  #finishMinute(): PointChange {
    const values = mean(this.#samples, this.#names);
    this.#samples = [];
    this.#day.add(this.#minute, values);
    return { range: 'day', at: this.#minute, values };
  }
}

const startOf = (seconds: number, step: number): number => Math.floor(seconds / step) * step;

function pick(point: PagePoint, names: readonly SeriesName[]): PagePoint {
  return Object.fromEntries(
    names.flatMap((name) =>
      point[name] === undefined ? [] : [[name, Math.round(point[name] * 10) / 10]],
    ),
  );
}

function mean(points: readonly PagePoint[], names: readonly SeriesName[]): PagePoint {
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = points.flatMap((point) => point[name] ?? []);
      const sum = values.reduce((total, value) => total + value, 0);
      return values.length === 0 ? [] : [[name, Math.round((sum / values.length) * 10) / 10]];
    }),
  );
}
