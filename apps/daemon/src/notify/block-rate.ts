/** Seconds between blocks that the difficulty aims at. */
const TARGET = 120;
/** Blocks looked at. */
export const RATE_BLOCKS = 150;
/** Observation windows, seconds, the longest first. */
const WINDOWS = [5400, 3600, 1800, 1200, 600];
/** So improbable that honest luck reaches it about once in ten days. */
const THRESHOLD = 1 / (864_000 / TARGET);

/** A window in which far more or far fewer blocks came than luck explains. */
export interface RateAlarm {
  readonly minutes: number;
  readonly blocks: number;
  readonly expected: number;
}

/**
 * Looks for a window with an improbable number of blocks. `timestamps` are those of the newest blocks, `now` is in Unix
 * seconds. Source: src/cryptonote_core/cryptonote_core.cpp, check_block_rate.
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

/** Probability of so few blocks, or of so many, as a Poisson process makes them. */
export function probability(blocks: number, expected: number): number {
  const [from, to] =
    blocks <= expected ? [0, blocks] : [blocks, expected * 3 /* more hardly adds to it */];
  let sum = 0;
  for (let count = from; count <= to; count++) sum += exactly(count, expected);
  return sum;
}

/** e^-λ λ^n / n!, as one product so that nothing overflows. */
function exactly(count: number, expected: number): number {
  let result = Math.exp(-expected);
  for (let i = 1; i <= count; i++) result *= expected / i;
  return result;
}
