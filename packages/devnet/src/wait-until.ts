import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMilliseconds } from '@monero-node/base';

const INTERVAL_MS = 10;

/** Resolves when a condition holds. Throws Error when that takes longer than `milliseconds`. */
export async function waitUntil(
  holds: () => boolean,
  what: string,
  milliseconds: number,
): Promise<void> {
  const deadline = monotonicMilliseconds() + milliseconds;
  while (!holds()) {
    if (monotonicMilliseconds() > deadline)
      throw new Error(`waited ${milliseconds / 1000} s for ${what}`);
    await sleep(INTERVAL_MS);
  }
}
