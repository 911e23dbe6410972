/** Calls worked on at the same time; more of them would only hold more memory. */
const MAX_RUNNING = 4;

/**
 * Lets calls begin one after another, as many at a time as make sense, and none while more than a limit of answer bytes wait
 * for slow readers.
 */
export class Admission {
  readonly #softLimit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #unsent = 0;

  /** @param softLimit answer bytes that may wait before new calls have to */
  constructor(softLimit: number) {
    this.#softLimit = softLimit;
  }

  /** Resolves when a call may begin; it must be ended with `leave`. */
  async enter(): Promise<void> {
    if (this.#mayBegin() && this.#waiting.length === 0) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    this.#running--;
    this.#next();
  }

  /** Notes an answer about to be sent; the returned function notes that it is gone. */
  queued(bytes: number): () => void {
    this.#unsent += bytes;
    let gone = false;
    return () => {
      if (gone) return;
      gone = true;
      this.#unsent -= bytes;
      this.#next();
    };
  }

  #mayBegin(): boolean {
    return this.#running < MAX_RUNNING && this.#unsent <= this.#softLimit;
  }

  #next(): void {
    while (this.#mayBegin()) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      this.#running++;
      begin();
    }
  }
}
