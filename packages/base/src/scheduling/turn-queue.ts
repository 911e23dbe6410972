import { afterEventLoopRound } from './event-loop.ts';

/**
 * Resumes one waiter per round of the event loop, first come first served. However many pieces of work wait, sockets
 * and timers are served after each slice of one of them.
 */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  /** Resolves when it is the caller's turn, after at least one round of the event loop. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await afterEventLoopRound();
      this.#waiting.shift()?.();
    }
    this.#isRunning = false;
  }
}
