/** Target number of seconds between blocks. */
const TARGET = 120;
/** Number of newest blocks to check. */
export const RATE_BLOCKS = 150;
/** Observation windows in seconds, the longest first. */
const WINDOWS = [5400, 3600, 1800, 1200, 600];
/** Probability below which to raise an alarm; chance reaches it about once in ten days. */
const THRESHOLD = 1 / (864_000 / TARGET);

/** A window with far more or far fewer blocks than chance explains. */
export interface RateAlarm {
  readonly minutes: number;
  readonly blocks: number;
  readonly expected: number;
}

/**
 * Finds the longest window with an improbable number of blocks. `timestamps` of the newest blocks and `now` are in Unix
 * seconds. Returns undefined when no window is improbable. Source: check_block_rate in
 * src/cryptonote_core/cryptonote_core.cpp.
 */
export function blockRateAlarm(timestamps: readonly number[], now: number): RateAlarm | undefined {
  for (const window of WINDOWS) {
    const blocks = timestamps.filter((time) => time >= now - window).length;
    const expected = window / TARGET;
    if (probability(blocks, expected) < THRESHOLD) {
      return { minutes: window / 60, blocks, expected };
    }
  }
  return undefined;
}

/**
 * Returns the probability that a Poisson process with the expected number yields at most `blocks`, if that is below
 * the expected number, or else at least `blocks`.
 */
export function probability(blocks: number, expected: number): number {
  const [from, to] =
    blocks <= expected ? [0, blocks] : [blocks, expected * 3 /* the rest is negligible */];
  let sum = 0;
  for (let count = from; count <= to; count++) sum += exactly(count, expected);
  return sum;
}

/** Returns e^-λ λ^n / n!, multiplied step by step so that nothing overflows. */
function exactly(count: number, expected: number): number {
  let result = Math.exp(-expected);
  for (let i = 1; i <= count; i++) result *= expected / i;
  return result;
}
