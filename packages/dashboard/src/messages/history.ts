/** Series that are kept over time. */
export const SERIES = ['bytesIn', 'bytesOut', 'hashes', 'pool', 'peers'] as const;

/** Name of a series: bytes per second in and out, hashes per second, transactions in the pool, connected peers. */
export type SeriesName = (typeof SERIES)[number];

/** Values of one moment. A view has those that it may show. */
export type PagePoint = Readonly<Partial<Record<SeriesName, number>>>;

/** The ranges that are kept: the last hour in fine steps, a day, and 30 days. Seconds between points, and their number. */
export const RANGES = {
  hour: { step: 10, points: 360 },
  day: { step: 60, points: 1440 },
  month: { step: 3600, points: 720 },
} as const;

export type RangeName = keyof typeof RANGES;

/** The values of one range, evenly spaced. */
export interface Track {
  /** Unix seconds of the newest point; 0 when there are no points. */
  readonly end: number;
  /** Oldest first; null where nothing was measured. */
  readonly series: Readonly<Partial<Record<SeriesName, readonly (number | null)[]>>>;
}

/** The values of all ranges. */
export type History = Readonly<Record<RangeName, Track>>;
