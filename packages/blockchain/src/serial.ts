/** Runs tasks one after the other, in the order in which they came. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  get busy(): boolean {
    return this.#pending > 0;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#pending++;
    const result = this.#last.then(task).finally(() => this.#pending--);
    // A failed task must not stop those behind it.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything queued so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
