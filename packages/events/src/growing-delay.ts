const FIRST_MS = 200;
const LAST_MS = 10_000;

/**
 * Returns how long to wait after failures in a row, milliseconds: 200 after the first, then twice as long, up to `last`, which is
 * 10 s by default.
 */
export function growingDelay(failures: number, last = LAST_MS): number {
  return Math.min(last, FIRST_MS * 2 ** Math.min(failures, 16));
}
