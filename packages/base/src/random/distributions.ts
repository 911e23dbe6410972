import type { RandomSource } from './source.ts';

/** Returns a whole number in [0, count), uniformly distributed. */
export function randomBelow(count: number, random: RandomSource): number {
  return Math.floor(random() * count);
}

/**
 * Returns a whole number from the Poisson distribution, by multiplying uniform fractions (Knuth).
 *
 * @param mean below 700, where `Math.exp(-mean)` underflows
 */
export function poisson(mean: number, random: RandomSource): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}
