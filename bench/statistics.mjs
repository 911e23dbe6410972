// Medians and means of samples.
import { present } from './values.mjs';

/**
 * Returns the median of numbers; of an even count, the upper one. Throws Error when there are none.
 *
 * @param {readonly number[]} values
 */
export const median = (values) => present([...values].sort((a, b) => a - b)[values.length >> 1]);

/** Student's t for 95 % on both sides, by degrees of freedom from 1; further ones use the last. */
const STUDENT = [
  ...[12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23],
  ...[2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09],
];

/**
 * Returns the mean of at least two samples, and the half width of the interval that holds the true mean with 95 %
 * confidence. Undefined for fewer.
 *
 * @param {readonly number[]} samples
 */
export function meanOf(samples) {
  if (samples.length < 2) return undefined;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const squares = samples.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(squares / (samples.length - 1) / samples.length);
  return { mean, halfWidth: (STUDENT[samples.length - 2] ?? present(STUDENT.at(-1))) * error };
}
