import pLimit from 'p-limit';

/** Runs asynchronous tasks one at a time, in the order they were handed in. */
export class Mutex {
  readonly #limit = pLimit(1);

  /** Whether a task is running or waiting. */
  get busy(): boolean {
    return this.#limit.activeCount + this.#limit.pendingCount > 0;
  }

  /** Settles as the task does. A task that fails does not stop those after it. */
  run<T>(task: () => T | PromiseLike<T>): Promise<T> {
    return this.#limit(task);
  }

  /** Resolves when every task handed in so far has settled. */
  async idle(): Promise<void> {
    if (this.busy) await this.#limit(() => undefined);
  }
}
