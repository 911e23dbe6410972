import { TurnQueue } from './turn-queue.ts';
import { Yielder, type YielderOptions } from './yielder.ts';

/**
 * Shares the event loop between many long calls: each round of the loop resumes only one of the calls that wait, first
 * come first served. Calls of one scheduler do not wait for those of another.
 */
export class FairScheduler {
  readonly #turns = new TurnQueue();

  /** Returns the yielder for one piece of work, which starts its first slice now. */
  begin(options?: YielderOptions): Yielder {
    return new Yielder(options, { nextSlice: () => this.#turns.next() });
  }
}
