/** Calls worked on at the same time; more of them would only hold more memory. */
const MAX_RUNNING = 4;

/** Lets calls begin in the order they came, as many at a time as make sense. */
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
