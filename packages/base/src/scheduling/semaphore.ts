import pLimit, { type LimitFunction } from 'p-limit';

/** Runs at most `limit` asynchronous tasks at a time; the others wait in the order they were handed in. */
export class Semaphore {
  readonly #limit: LimitFunction;

  /** Throws TypeError unless `limit` is a positive integer or Infinity. */
  constructor(limit: number) {
    this.#limit = pLimit(limit);
  }

  /** The number of tasks that are running. */
  get running(): number {
    return this.#limit.activeCount;
  }

  /** The number of tasks that wait. */
  get waiting(): number {
    return this.#limit.pendingCount;
  }

  /** Settles as the task does. */
  run<T>(task: () => T | PromiseLike<T>): Promise<T> {
    return this.#limit(task);
  }
}
