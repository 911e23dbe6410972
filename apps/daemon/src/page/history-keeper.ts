import {
  RANGES,
  SERIES,
  type History,
  type PagePoint,
  type PointChange,
  type SeriesName,
} from '@monero-node/dashboard';
import { TrackKeeper } from './track-keeper.ts';

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
