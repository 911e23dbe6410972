/** A part of the node that is started and stopped with it. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts parts in order and stops them in reverse order. If a part fails to start, the parts that have
 * started are stopped and the error is thrown.
 */
export class Lifecycle {
  readonly #parts: readonly Part[];
  readonly #started: Part[];
  readonly #onStopError: (part: string, error: unknown) => void;

  /** @param running parts that run already: they are not started, and stopped last */
  constructor(
    parts: readonly Part[],
    onStopError: (part: string, error: unknown) => void,
    running: readonly Part[] = [],
  ) {
    this.#parts = parts;
    this.#onStopError = onStopError;
    this.#started = [...running];
  }

  async start(): Promise<void> {
    for (const part of this.#parts) {
      try {
        await part.start();
      } catch (error) {
        await this.stop();
        throw error;
      }
      this.#started.push(part);
    }
  }

  /** Stops the started parts, the last first. If one fails to stop, the others are stopped all the same. */
  async stop(): Promise<void> {
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      try {
        await part.stop();
      } catch (error) {
        this.#onStopError(part.name, error);
      }
    }
  }
}
