/**
 * Median of whole numbers: the middle one, or the two middle ones' average rounded down. 0 when
 * there are none. The input is not changed. (epee::misc_utils::median)
 */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return floorAverage(sorted[middle - 1] as number, sorted[middle] as number);
}

/** (a + b) / 2 rounded down, for whole numbers. */
export function floorAverage(a: number, b: number): number {
  return Math.floor(a / 2) + Math.floor(b / 2) + Math.floor(((a % 2) + (b % 2)) / 2);
}
