/**
 * Returns the median of whole numbers: the middle one, or the average of the two middle ones rounded
 * down; 0 for an empty list. The input is not changed.
 *
 * Source: median in contrib/epee/include/misc_language.h.
 */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return floorAverage(sorted[middle - 1] as number, sorted[middle] as number);
}

/**
 * Returns (a + b) / 2 rounded down, for whole numbers.
 *
 * Source: get_mid in contrib/epee/include/misc_language.h.
 */
export function floorAverage(a: number, b: number): number {
  return Math.floor(a / 2) + Math.floor(b / 2) + Math.floor(((a % 2) + (b % 2)) / 2);
}
