import { nextTick } from 'node:process';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import {
  monotonicMilliseconds,
  Yielder,
  type MillisecondClock,
  type YielderOptions,
} from '@monero-node/base';
import { Caller, CallerGroup } from './time-shares.ts';

/** Calls start at once until those of one round of the event loop have used this time, milliseconds. */
const STARTS_MS_PER_ROUND = 10;
/** Calls that have used less than this together may count towards the next round too, milliseconds. */
const CARRIED_MS = 1;
/** Charged at most for a first slice that waited for something else than the event loop, milliseconds. */
const MAX_UNSEEN_MS = 10;

/** A piece of work that asks for time. */
export interface Claim {
  readonly caller: Caller;
  /** Runs before each slice but the first. A rejection ends the work. */
  readonly beforeSlice?: () => Promise<void> | undefined;
}

interface Waiting {
  readonly caller: Caller;
  readonly resume: () => void;
}

/**
 * Shares the event loop between many calls. Each round of the loop resumes only one of those that wait, so that sockets and
 * timers are served however many calls there are. First comes the caller that has used the least time (start-time fair
 * queueing), so that a cheap call does not wait behind the expensive calls of others.
 */
export class CallScheduler {
  readonly #waiting: Waiting[] = [];
  /** Owner of work that no caller claims. */
  readonly #nobody = new Caller(new CallerGroup());
  readonly #now: MillisecondClock;
  /** Time that the group served last had used before. */
  #floor = 0;
  #isRunning = false;
  /** Runs while all that wait are over their budgets. */
  #rest: NodeJS.Timeout | undefined;
  /** Counts the rounds of the event loop in which calls were started. */
  #round = 0;
  #startsMs = 0;
  #isRoundOpen = false;
  /** First slices that have begun and not ended. */
  #openSlices = 0;

  constructor(now: MillisecondClock = monotonicMilliseconds) {
    this.#now = now;
  }

  /** Pieces of work that wait for a slice. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Returns the yielder for one piece of work, which starts its first slice now. */
  begin(options?: YielderOptions, claim: Claim = { caller: this.#nobody }): Yielder {
    return new Yielder(options, { nextSlice: () => this.#nextSlice(claim) });
  }

  /**
   * Runs a call as soon as there is time: at once, unless the round's time for new calls is used up or the caller's group
   * is over its budget. Settles as the task does.
   */
  async run<T>(claim: Claim, task: (yielder: Yielder) => Promise<T>): Promise<T> {
    const { caller } = claim;
    if (this.#startsMs >= STARTS_MS_PER_ROUND || caller.group.restMs > 0) {
      await this.#wait(caller);
      return task(this.begin(undefined, claim));
    }
    const charge = this.#firstSlice(caller);
    const yielder = new Yielder(undefined, {
      nextSlice: () => {
        charge();
        return this.#nextSlice(claim);
      },
    });
    try {
      return await task(yielder);
    } finally {
      charge();
    }
  }

  /** Returns the function that ends a slice begun outside the scheduler's rounds; only its first call counts. */
  #firstSlice(caller: Caller): () => void {
    this.#level(caller);
    if (this.#waiting.length === 0) this.#noteServed(caller);
    this.#openRound();
    const round = this.#round;
    const start = this.#now();
    let isOpen = true;
    this.#openSlices++;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#openSlices--;
      const elapsed = this.#now() - start;
      const ms = round === this.#round ? elapsed : Math.min(elapsed, MAX_UNSEEN_MS);
      if (round === this.#round) this.#startsMs += ms;
      caller.charge(ms);
    };
  }

  /**
   * Looks for the end of the round, unless all calls that were started have ended by then: with anything to do after it, a
   * round costs more than a small call.
   */
  #openRound(): void {
    if (this.#isRoundOpen) return;
    this.#isRoundOpen = true;
    // A promise's job runs first; the queue of `nextTick` follows when no such job is left.
    queueMicrotask(() => {
      nextTick(() => {
        if (this.#openSlices === 0 && this.#startsMs < CARRIED_MS) this.#isRoundOpen = false;
        else setImmediate(() => this.#endRound());
      });
    });
  }

  #endRound(): void {
    this.#isRoundOpen = false;
    this.#startsMs = 0;
    this.#round++;
  }

  #nextSlice({ caller, beforeSlice }: Claim): Promise<void> {
    const gate = beforeSlice?.();
    return gate === undefined ? this.#wait(caller) : gate.then(() => this.#wait(caller));
  }

  #wait(caller: Caller): Promise<void> {
    return new Promise((resume) => {
      this.#level(caller);
      this.#waiting.push({ caller, resume });
      if (!this.#isRunning || (this.#rest !== undefined && caller.group.restMs === 0)) {
        this.#resumeNext();
      }
    });
  }

  /** Time that a caller or group did not ask for is not saved up. */
  #level(caller: Caller): void {
    const { group } = caller;
    if (!this.#waiting.some((other) => other.caller.group === group)) {
      group.used = Math.max(group.used, this.#floor);
    }
    if (!this.#waiting.some((other) => other.caller === caller)) {
      caller.used = Math.max(caller.used, group.floor);
    }
  }

  #noteServed({ used, group }: Caller): void {
    this.#floor = Math.max(this.#floor, group.used);
    group.floor = Math.max(group.floor, used);
  }

  /** Both callbacks run in the same round; what the first resumes has run up to its next pause when the second begins. */
  #resumeNext(): void {
    this.#isRunning = true;
    clearTimeout(this.#rest);
    this.#rest = undefined;
    let served: Caller | undefined;
    let start = 0;
    setImmediate(() => {
      const next = this.#takeNext();
      if (next === undefined) return;
      served = next.caller;
      start = this.#now();
      next.resume();
    });
    setImmediate(() => {
      served?.charge(this.#now() - start);
      if (this.#waiting.length === 0) this.#isRunning = false;
      else if (served === undefined) {
        this.#rest = setTimeout(() => this.#resumeNext(), this.#shortestRest());
      } else this.#resumeNext();
    });
  }

  #takeNext(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const one of this.#waiting) {
      const { group } = one.caller;
      if (group.restMs > 0) group.used = Math.max(group.used, this.#floor);
      else if (next === undefined || one.caller.isBefore(next.caller)) next = one;
    }
    if (next === undefined) return undefined;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#noteServed(next.caller);
    return next;
  }

  #shortestRest(): number {
    return Math.min(...this.#waiting.map(({ caller }) => caller.group.restMs));
  }
}
