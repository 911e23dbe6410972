/** A part of the node that lives as long as the node does. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts parts in order and stops them in reverse. When one fails to start, those already
 * started are stopped again and the error is passed on.
 */
export class Lifecycle {
  readonly #parts: readonly Part[];
  readonly #started: Part[] = [];
  readonly #onStopError: (part: string, error: unknown) => void;

  constructor(parts: readonly Part[], onStopError: (part: string, error: unknown) => void) {
    this.#parts = parts;
    this.#onStopError = onStopError;
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

  /** Stops what was started, newest first; an error in one part does not spare the others. */
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
