import { randomInt } from 'node:crypto';

/** A fraction in [0, 1). */
export type Random = () => number;

const RANGE = 2 ** 47;

/** 47 bits from the system's generator, for what peers must not guess. */
export function secureRandom(): number {
  return randomInt(RANGE) / RANGE;
}

/** A whole number below `count`, each as likely. */
export function randomBelow(count: number, random: Random): number {
  return Math.floor(random() * count);
}

/** A whole number from the Poisson distribution, by multiplying uniform ones (Knuth). @param mean below some 500 */
export function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}
