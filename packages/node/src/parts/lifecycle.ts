/** A part of the node that is started and stopped with it. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns a part that starts and stops something. */
export function partOf(name: string, it: { start(): Promise<void>; stop(): Promise<void> }): Part {
  return { name, start: () => it.start(), stop: () => it.stop() };
}

/**
 * Starts parts in order and stops them in reverse order. If a part fails to start, the parts that have
 * started are stopped and the error is thrown.
 */
export class Lifecycle {
  readonly #parts: Part[];
  readonly #started: Part[];
  readonly #onStopError: (part: string, error: unknown) => void;

  /** @param running parts that run already: they are not started, and stopped last */
  constructor(
    parts: readonly Part[],
    onStopError: (part: string, error: unknown) => void,
    running: readonly Part[] = [],
  ) {
    this.#parts = [...parts];
    this.#onStopError = onStopError;
    this.#started = [...running];
  }

  /** Adds parts that start after the others. */
  add(parts: readonly Part[]): void {
    this.#parts.push(...parts);
  }

  /** Adds parts that run already: they are not started, and stopped after all others. */
  addRunning(parts: readonly Part[]): void {
    this.#started.unshift(...parts);
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
