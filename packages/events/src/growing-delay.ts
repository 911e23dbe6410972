const FIRST_MS = 200;
const LAST_MS = 10_000;

/** Returns how long to wait after failures in a row, milliseconds: 200 after the first, then twice as long, up to 10 s. */
export function growingDelay(failures: number): number {
  return Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(failures, 16));
}
