import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** A condition was not met in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

export interface WaitOptions {
  /** Milliseconds; default 60,000. */
  timeout?: number;
  /** Milliseconds between two attempts; default 100. */
  interval?: number;
}

/**
 * Polls until `look` returns something other than undefined or false, and returns that. Errors
 * thrown by `look` count as "not yet"; the message at the time-out contains the last one.
 *
 * Throws TimeoutError when the time is over.
 */
export async function waitUntil<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  { timeout = 60_000, interval = 100 }: WaitOptions = {},
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    let why = '';
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
    } catch (error) {
      if (error instanceof FatalWaitError) throw error;
      why = ` (${error instanceof Error ? error.message : String(error)})`;
    }
    if (Date.now() >= end) throw new TimeoutError(`waited ${timeout} ms for ${what}${why}`);
    await sleep(interval);
  }
}

/** Thrown by a `look` to end the waiting at once. */
export class FatalWaitError extends Error {
  override readonly name = 'FatalWaitError';
}

/** Rejects with a TimeoutError when `work` takes longer than `milliseconds`. */
export async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimeoutError(`${what} took over ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
