/** Fits a line to `values` by least squares; returns its values at the first and last of `times`. */
function fitLine(times, values) {
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const [t, v] = [mean(times), mean(values)];
  const above = times.reduce((sum, time, i) => sum + (time - t) * (values[i] - v), 0);
  const below = times.reduce((sum, time) => sum + (time - t) ** 2, 0);
  const slope = below === 0 ? 0 : above / below;
  const at = (time) => v + slope * (time - t);
  return { first: at(times[0]), last: at(times.at(-1)), slope };
}

/** Share of a run, from its beginning, during which a node may grow while caches fill and code is compiled. */
const WARM_UP = 1 / 3;
/**
 * Growth after the warm-up that counts as a leak: both the share and the MiB must be exceeded. The live heap is
 * measured after a garbage collection; anonymous memory includes memory that allocators keep.
 */
const LIMITS = {
  live: { share: 0.15, mib: 6 },
  anonymous: { share: 0.25, mib: 50 },
};
const MIN_SAMPLES = 8;
/** Number of parts of the settled time: the lowest sample of each counts, because attacks hold memory while they last. */
const PARTS = 20;

/** Returns the lowest value of a kind of memory in each part of the time, and the minute of that sample. */
function lowest(samples, kind) {
  const begun = samples[0].at;
  const length = (samples.at(-1).at - begun + 1) / PARTS;
  const parts = new Map();
  for (const sample of samples) {
    const part = Math.floor((sample.at - begun) / length);
    if (!(parts.get(part)?.[kind] <= sample[kind])) parts.set(part, sample);
  }
  return [...parts.values()];
}

/** Returns the growth of each kind of memory after the warm-up, and whether it is too large. */
export function growth(samples) {
  const begun = samples[0]?.at ?? 0;
  const length = (samples.at(-1)?.at ?? 0) - begun;
  const settled = samples.filter(({ at }) => at - begun >= length * WARM_UP);
  if (settled.length < MIN_SAMPLES) throw new Error(`only ${settled.length} samples of memory`);
  return Object.entries(LIMITS).map(([kind, limit]) => {
    const low = lowest(settled, kind);
    const { first, last, slope } = fitLine(
      low.map(({ at }) => (at - begun) / 60_000),
      low.map((sample) => sample[kind]),
    );
    const grown = last - first;
    const most = Math.max(...samples.map((sample) => sample[kind]));
    const leaks = grown > limit.mib && grown > first * limit.share;
    return { kind, first, last, slope, most, leaks };
  });
}

const WINDOWS = 6;

/** Returns the mean and the largest value of each kind of memory in six equal parts of a run, in MiB. */
export function windows(samples) {
  const begun = samples[0].at;
  const length = (samples.at(-1).at - begun) / WINDOWS;
  return Array.from({ length: WINDOWS }, (_, i) => {
    const [from, to] = [i, i + 1].map((part) => begun + part * length);
    const inside = samples.filter(({ at }) => at >= from && at <= to);
    const figures = (kind) => {
      const values = inside.map((sample) => sample[kind]);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { mean, most: Math.max(...values) };
    };
    const minutes = [from, to].map((time) => ((time - begun) / 60_000).toFixed(1)).join(' to ');
    return { minutes, live: figures('live'), anonymous: figures('anonymous') };
  });
}
