import { MAX_PENDING, MAX_PENDING_BYTES } from './limits.ts';

/** Bounds the number and the bytes of transactions that wait for verification. */
export class PendingLimit {
  #count = 0;
  #bytes = 0;

  /**
   * Runs the task and returns its result; returns undefined, without running it, when too much is waiting.
   *
   * @param bytes of the transaction
   */
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
