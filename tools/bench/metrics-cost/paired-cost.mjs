import { meanOf } from '../student.mjs';

/**
 * Returns by how many percent the first value of a pair is over the second: the mean over all pairs, and the half width of the
 * interval that holds the true mean with 95 % confidence. Undefined for fewer than two pairs.
 *
 * @param {readonly (readonly [number, number])[]} pairs
 */
export function pairedCost(pairs) {
  return meanOf(pairs.map(([first, second]) => 100 * (first / second - 1)));
}
