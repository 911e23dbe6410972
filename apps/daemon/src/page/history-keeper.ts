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

  /** Goes on where a track ended; series that it does not have are empty until then. */
  restore({ end, series }: Track): void {
    this.#end = end;
    const length = Math.max(0, ...Object.values(series).map((points) => points.length));
    for (const [name, points] of this.#series) {
      const known = series[name] ?? Array<null>(length).fill(null);
      points.splice(0, points.length, ...known.slice(-this.#most));
    }
  }

  /**
   * Drops the points of a time and of all later ones.
   *
   * @param at Unix seconds, a multiple of the step
   */
  cut(at: number): void {
    const dropped = Math.max(0, Math.round((this.#end - at) / this.#step) + 1);
    let left = 0;
    for (const points of this.#series.values()) {
      points.splice(Math.max(0, points.length - dropped));
      left = points.length;
    }
    if (dropped > 0) this.#end = left === 0 ? 0 : at - this.#step;
  }

  /**
   * Returns the means of the points from a time on; those that were not measured do not count.
   *
   * @param start Unix seconds
   */
  meanSince(start: number): PagePoint {
    const count = Math.floor((this.#end - start) / this.#step) + 1;
    return Object.fromEntries(
      [...this.#series].flatMap(([name, points]) => {
        const known = points.slice(-Math.max(1, count)).filter((value) => value !== null);
        return known.length === 0 ? [] : [[name, meanOf(known)]];
      }),
    );
  }

  /**
   * Adds the values of a step. Steps that were missed are empty. When the clock was set back, the points that claim to be later are
   * dropped.
   *
   * @param at Unix seconds, a multiple of the step
   */
  add(at: number, values: PagePoint): void {
    if (at <= this.#end) this.cut(at);
    const steps = this.#end === 0 ? 1 : Math.round((at - this.#end) / this.#step);
    const missed = Math.min(steps - 1, this.#most);
    for (const [name, points] of this.#series) {
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

/** Keeps what is measured over time: the last hour, and the means of a day and of 30 days. */
export class HistoryKeeper {
  readonly #hour: TrackKeeper;
  readonly #day: TrackKeeper;
  readonly #month: TrackKeeper;
  readonly #names: readonly SeriesName[];
  #samples: PagePoint[] = [];
  #minute = 0;
  /** Start of the hour whose minutes are not yet a point of the month; undefined before the first minute. */
  #openHour: number | undefined;
  #at = 0;

  constructor(names: readonly SeriesName[] = SERIES) {
    this.#names = names;
    this.#hour = new TrackKeeper('hour', names);
    this.#day = new TrackKeeper('day', names);
    this.#month = new TrackKeeper('month', names);
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
    if (minute < this.#minute) this.#wasSetBack(minute);
    const hour = this.#finishHour(minute);
    if (hour !== undefined) points.push(hour);
    this.#minute = minute;
    this.#samples.push(values);
    if (this.#samples.length > SAMPLES_PER_POINT) this.#samples.shift();
    this.#hour.add(at, values);
    return points;
  }

  get history(): History {
    return { hour: this.#hour.track, day: this.#day.track, month: this.#month.track };
  }

  /** Goes on where a history ended, before or after the first sample; what was measured until now is dropped. */
  restore({ hour, day, month }: History): void {
    this.#hour.restore(hour);
    this.#day.restore(day);
    this.#month.restore(month);
    this.#samples = [];
    this.#at = hour.end;
    const last = startOf(day.end, RANGES.month.step);
    this.#openHour = day.end > 0 && last > month.end ? last : undefined;
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
    this.#openHour = startOf(this.#minute, RANGES.month.step);
    return { range: 'day', at: this.#minute, values };
  }

  /** The clock was set back to a minute: what claims to be later must not be kept over a restart. */
  #wasSetBack(minute: number): void {
    this.#day.cut(minute);
    this.#month.cut(startOf(minute, RANGES.month.step));
    this.#openHour = undefined;
  }

  /** Makes a point of the month if a minute is of another hour than the ones before. */
  #finishHour(minute: number): PointChange | undefined {
    const at = this.#openHour;
    if (at === undefined || at === startOf(minute, RANGES.month.step)) return undefined;
    const values = this.#day.meanSince(at);
    this.#month.add(at, values);
    this.#openHour = undefined;
    return { range: 'month', at, values };
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
      return values.length === 0 ? [] : [[name, meanOf(values)]];
    }),
  );
}

function meanOf(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return Math.round((sum / values.length) * 10) / 10;
}
