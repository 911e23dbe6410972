import type { Caller } from '../../scheduling/time-shares.ts';
import { AbandonedCallError, type Admission } from './admission.ts';

/** One call's slot among the long calls of its listener, taken when the call turns out to be long. */
export class LongCallSlot {
  readonly #admission: Admission;
  readonly #caller: Caller;
  readonly #isGone: () => boolean;
  #state: 'none' | 'held' | 'ended' = 'none';

  /** @param isGone whether the client has left */
  constructor(admission: Admission, caller: Caller, isGone: () => boolean) {
    this.#admission = admission;
    this.#caller = caller;
    this.#isGone = isGone;
  }

  /**
   * Returns undefined, or a promise to wait for. Rejects with AbandonedCallError when the client has left, and with OverloadError
   * after `patience` milliseconds.
   */
  enter(patience?: number): Promise<void> | undefined {
    // Also after the end, when the rest of a long answer is made.
    if (this.#isGone()) return Promise.reject(new AbandonedCallError());
    if (this.#state !== 'none') return undefined;
    const wait = this.#admission.enter(this.#caller, this.#isGone, patience);
    if (wait !== undefined) return wait.then(() => this.#hold());
    this.#hold();
    return undefined;
  }

  /** Frees the slot while the call only waits. The next pause of its own work takes one again. */
  rest(): void {
    if (this.#state !== 'held') return;
    this.#state = 'none';
    this.#admission.leave(this.#caller);
  }

  /** The call has ended. */
  end(): void {
    this.rest();
    this.#state = 'ended';
  }

  #hold(): void {
    if (this.#state === 'ended') this.#admission.leave(this.#caller);
    else this.#state = 'held';
  }
}
