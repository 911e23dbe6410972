import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** Longest stretch of work before others get their turn, milliseconds. */
const SLICE_MS = 10;

/**
 * Shares the event loop between long calls: whoever has worked for a slice waits, and only one waiting call is resumed per
 * round of the loop, so that sockets and timers are served in between whatever the number of calls.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** Starts a piece of work. */
  begin(): Turn {
    return new Turn((resume) => {
      this.#waiting.push(resume);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#waiting.shift()?.();
      this.#schedule();
    });
  }
}

/** One piece of work. Call `rest` often; it costs next to nothing while the slice lasts. */
export class Turn {
  readonly #enqueue: (resume: () => void) => void;
  #sliceEnd = performance.now() + SLICE_MS;

  constructor(enqueue: (resume: () => void) => void) {
    this.#enqueue = enqueue;
  }

  /** Whether the slice is used up. */
  get due(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  /** Waits for the next turn if the slice is used up. */
  rest(): Promise<void> | undefined {
    return this.due ? this.#wait() : undefined;
  }

  async #wait(): Promise<void> {
    await new Promise<void>((resume) => {
      this.#enqueue(resume);
    });
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}
