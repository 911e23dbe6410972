/** Student's t for 95 % on both sides, by degrees of freedom from 1; further ones use the last. */
const STUDENT = [
  ...[12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23],
  ...[2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09],
];

/**
 * Returns by how many percent the first value of a pair is over the second: the mean over all pairs, and the half width of the
 * interval that holds the true mean with 95 % confidence. Undefined for fewer than two pairs.
 *
 * @param {readonly (readonly [number, number])[]} pairs
 */
export function pairedCost(pairs) {
  if (pairs.length < 2) return undefined;
  const percents = pairs.map(([first, second]) => 100 * (first / second - 1));
  const mean = percents.reduce((sum, value) => sum + value, 0) / percents.length;
  const squares = percents.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(squares / (percents.length - 1) / percents.length);
  const t = STUDENT[percents.length - 2] ?? STUDENT.at(-1);
  return { mean, halfWidth: t * error };
}
