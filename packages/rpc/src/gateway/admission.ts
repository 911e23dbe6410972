/** Calls served at the same time; more would only hold more memory. */
const MAX_RUNNING = 4;

/** Admits calls in the order they arrived, a few at a time. */
export class Admission {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Resolves when a call may begin; it must be ended with `leave`. */
  async enter(): Promise<void> {
    if (this.#running < MAX_RUNNING) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends a call; the next one takes its place. */
  leave(): void {
    const begin = this.#waiting.shift();
    if (begin === undefined) this.#running--;
    else begin();
  }
}
