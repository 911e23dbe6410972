import { MAX_PENDING, MAX_PENDING_BYTES } from './limits.ts';

/** Counts what waits to be verified, and says when it is too much. */
export class PendingLimit {
  #count = 0;
  #bytes = 0;

  /** Runs the task unless too much is waiting; undefined when it was not run. */
  async run<T>(bytes: number, task: () => Promise<T>): Promise<T | undefined> {
    if (this.#count >= MAX_PENDING || this.#bytes + bytes > MAX_PENDING_BYTES) return undefined;
    this.#count++;
    this.#bytes += bytes;
    try {
      return await task();
    } finally {
      this.#count--;
      this.#bytes -= bytes;
    }
  }
}
