import { present } from '../values.mjs';

/** @import { Sample } from './report-memory.mjs' */
/**
 * The kinds of memory that are judged.
 *
 * @typedef {'live' | 'anonymous'} Kind
 */
/**
 * The growth of a kind of memory, in MiB and MiB a minute.
 *
 * @typedef {ReturnType<typeof growth>[number]} Growth
 */
/**
 * A part of a run.
 *
 * @typedef {ReturnType<typeof windows>[number]} Part
 */

/**
 * Fits a line to `values` by least squares; returns its values at the first and last of `times`.
 *
 * @param {readonly number[]} times
 * @param {readonly number[]} values
 */
function fitLine(times, values) {
  /** @param {readonly number[]} list */
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const [t, v] = [mean(times), mean(values)];
  const above = times.reduce((sum, time, i) => sum + (time - t) * (present(values[i]) - v), 0);
  const below = times.reduce((sum, time) => sum + (time - t) ** 2, 0);
  const slope = below === 0 ? 0 : above / below;
  /** @param {number} time */
  const at = (time) => v + slope * (time - t);
  return { first: at(present(times[0])), last: at(present(times.at(-1))), slope };
}

/** Share of a run, from its beginning, during which a node may grow while caches fill and code is compiled. */
const WARM_UP = 1 / 3;
/**
 * Growth after the warm-up that counts as a leak: both the share and the MiB must be exceeded. The live heap is
 * measured after a garbage collection; anonymous memory includes memory that allocators keep.
 *
 * @type {readonly { kind: Kind, share: number, mib: number }[]}
 */
const LIMITS = [
  { kind: 'live', share: 0.15, mib: 6 },
  { kind: 'anonymous', share: 0.25, mib: 50 },
];
const MIN_SAMPLES = 8;
/** Number of parts of the settled time: the lowest sample of each counts, because attacks hold memory while they last. */
const PARTS = 20;

/**
 * Returns the lowest value of a kind of memory in each part of the time, and the minute of that sample.
 *
 * @param {readonly Sample[]} samples
 * @param {Kind} kind
 */
function lowest(samples, kind) {
  const begun = present(samples[0]).at;
  const length = (present(samples.at(-1)).at - begun + 1) / PARTS;
  /** @type {Map<number, Sample>} */
  const parts = new Map();
  for (const sample of samples) {
    const part = Math.floor((sample.at - begun) / length);
    const low = parts.get(part);
    if (low === undefined || low[kind] > sample[kind]) parts.set(part, sample);
  }
  return [...parts.values()];
}

/**
 * Returns the growth of each kind of memory after the warm-up, and whether it is too large.
 *
 * @param {readonly Sample[]} samples
 */
export function growth(samples) {
  const begun = samples[0]?.at ?? 0;
  const length = (samples.at(-1)?.at ?? 0) - begun;
  const settled = samples.filter(({ at }) => at - begun >= length * WARM_UP);
  if (settled.length < MIN_SAMPLES) throw new Error(`only ${settled.length} samples of memory`);
  return LIMITS.map(({ kind, share, mib }) => {
    const low = lowest(settled, kind);
    const { first, last, slope } = fitLine(
      low.map(({ at }) => (at - begun) / 60_000),
      low.map((sample) => sample[kind]),
    );
    const grown = last - first;
    const most = Math.max(...samples.map((sample) => sample[kind]));
    const leaks = grown > mib && grown > first * share;
    return { kind, first, last, slope, most, leaks };
  });
}

const WINDOWS = 6;

/**
 * Returns the mean and the largest value of each kind of memory in six equal parts of a run, in MiB.
 *
 * @param {readonly Sample[]} samples
 */
export function windows(samples) {
  const begun = present(samples[0]).at;
  const length = (present(samples.at(-1)).at - begun) / WINDOWS;
  return Array.from({ length: WINDOWS }, (_, i) => {
    const [from, to] = [begun + i * length, begun + (i + 1) * length];
    const inside = samples.filter(({ at }) => at >= from && at <= to);
    /** @param {Kind} kind */
    const figures = (kind) => {
      const values = inside.map((sample) => sample[kind]);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { mean, most: Math.max(...values) };
    };
    const minutes = [from, to].map((time) => ((time - begun) / 60_000).toFixed(1)).join(' to ');
    return { minutes, live: figures('live'), anonymous: figures('anonymous') };
  });
}
