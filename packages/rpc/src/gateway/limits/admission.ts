import { clearTimeout, setTimeout } from 'node:timers';
import { OverloadError } from '../../scheduling/call-scheduler.ts';
import type { Caller } from '../../scheduling/time-shares.ts';

/** Long calls served at the same time; more would only hold more memory. */
const MAX_RUNNING = 4;

interface Waiting {
  readonly caller: Caller;
  readonly isGone: () => boolean;
  readonly settle: (error?: Error) => void;
  /** Ends the wait of a call that has waited for too long. */
  timer?: NodeJS.Timeout;
}

/** The client of a call has left, so that nobody waits for the answer. */
export class AbandonedCallError extends Error {
  constructor() {
    super('the client has left');
  }
}

/**
 * The slots of one listener's long calls. The last free one is kept for a caller that has none, and those who wait are
 * served in the order of the time they have used, so that one host with many connections cannot take them all.
 */
export class Admission {
  readonly #slots: number;
  readonly #waiting: Waiting[] = [];
  readonly #held = new Map<Caller, number>();
  #running = 0;

  constructor(slots: number = MAX_RUNNING) {
    this.#slots = slots;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Takes a slot, which must be given back with `leave`: undefined when there was one, else a promise that resolves with
   * it. Rejects with AbandonedCallError when the client leaves before, and with OverloadError after `patience` milliseconds; without
   * that it waits without end.
   */
  enter(caller: Caller, isGone: () => boolean, patience?: number): Promise<void> | undefined {
    if (this.#fits(caller)) {
      this.#take(caller);
      return undefined;
    }
    this.#sweep();
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(one.timer);
        if (error === undefined) resolve();
        else reject(error);
      };
      const one: Waiting = { caller, isGone, settle };
      this.#waiting.push(one);
      if (patience !== undefined) one.timer = setTimeout(() => this.#refuse(one), patience);
    });
  }

  #refuse(one: Waiting): void {
    // Whoever has a slot already, while others have the rest, asks for more than its share.
    const isCallers = this.#held.has(one.caller) && this.#held.size > 1;
    this.#waiting.splice(this.#waiting.indexOf(one), 1);
    one.settle(new OverloadError(isCallers));
  }

  /** Frees a slot. */
  leave(caller: Caller): void {
    this.#running--;
    const left = (this.#held.get(caller) ?? 1) - 1;
    if (left === 0) this.#held.delete(caller);
    else this.#held.set(caller, left);
    this.#sweep();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#take(next.caller);
      next.settle();
    }
  }

  #fits(caller: Caller): boolean {
    const free = this.#slots - this.#running;
    return free > 1 || (free === 1 && !this.#held.has(caller));
  }

  #take(caller: Caller): void {
    this.#running++;
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const one of this.#waiting) {
      if (!this.#fits(one.caller)) continue;
      if (next === undefined || one.caller.isBefore(next.caller)) next = one;
    }
    return next;
  }

  /** Turns away those whose client has left: the queue is never longer than there are connections. */
  #sweep(): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const one = this.#waiting[i] as Waiting;
      if (!one.isGone()) continue;
      this.#waiting.splice(i, 1);
      one.settle(new AbandonedCallError());
    }
  }
}
