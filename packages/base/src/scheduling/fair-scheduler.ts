import { afterEventLoopRound } from './event-loop.ts';
import { Yielder, type YielderOptions } from './yielder.ts';

/**
 * Shares the event loop between many long calls: each round of the loop resumes only one of the calls that wait, first
 * come first served, so that sockets and timers are served however many calls there are.
 */
export class FairScheduler {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  /** Returns the yielder for one piece of work, which starts its first slice now. */
  begin(options?: YielderOptions): Yielder {
    return new Yielder(options, { nextSlice: () => this.#wait() });
  }

  #wait(): Promise<void> {
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
