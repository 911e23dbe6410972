import { setTimeout as sleep } from 'node:timers/promises';

let bytesPerMs = Infinity;
/** When the bytes sent so far would have left at that rate. */
let free = 0;

/**
 * Limits what this process sends, in bytes per second.
 *
 * @param {number} bytesPerSecond
 */
export function limitRate(bytesPerSecond) {
  bytesPerMs = bytesPerSecond / 1000;
}

/**
 * Waits until the rate allows this process to send that many bytes.
 *
 * @param {number} bytes
 */
export async function paced(bytes) {
  const now = performance.now();
  const start = Math.max(free, now);
  free = start + bytes / bytesPerMs;
  if (start > now) await sleep(start - now);
}
