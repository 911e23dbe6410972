import { PowUnavailableError } from '../errors.ts';

/**
 * Returns what `work` resolves with.
 *
 * Throws PowUnavailableError 'timed-out' when it takes longer than that many milliseconds; the work then goes on, and
 * its outcome is dropped.
 */
export async function withinMilliseconds<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `no proof-of-work hash within ${milliseconds / 1000} s`;
      reject(new PowUnavailableError('timed-out', message));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether work took too long, as {@link withinMilliseconds} reports it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof PowUnavailableError && error.code === 'timed-out';
}
