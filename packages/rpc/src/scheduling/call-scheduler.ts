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

/** After a refusal, callers whose calls wait already get no more places for this time, milliseconds. */
const REFUSING_MS = 1000;

/** There is no time for a call: it has waited for as long as its claim allows, or others wait that have used less. */
export class OverloadError extends Error {
  /** Whether the caller asks for more than its share, while others do not. */
  readonly isCallers: boolean;

  constructor(isCallers: boolean) {
    super(isCallers ? 'the client calls more than its share' : 'there are too many calls');
    this.isCallers = isCallers;
  }
}

/** A piece of work that asks for time. */
export interface Claim {
  readonly caller: Caller;
  /** Milliseconds that a call may wait for its first slice; without end when absent. */
  readonly patience?: number | undefined;
  /** Runs before each slice but the first. A rejection ends the work. */
  readonly beforeSlice?: () => Promise<void> | undefined;
}

interface Waiting {
  readonly caller: Caller;
  readonly resume: () => void;
  /** Ends the wait of a call that has waited for too long. */
  timer?: NodeJS.Timeout;
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
   * is over its budget. Settles as the task does. Rejects with OverloadError when the call would wait, or has waited, for longer than
   * the claim allows.
   */
  async run<T>(claim: Claim, task: (yielder: Yielder) => Promise<T>): Promise<T> {
    const { caller } = claim;
    if (this.#startsMs >= STARTS_MS_PER_ROUND || caller.group.restMs > 0) {
      await this.#waitForStart(claim);
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

  /**
   * Waits for the first slice. Those who have used least come first, so a call that waits for too long is one of those who use most, or
   * there are too many of them. While that is so, a caller with a call that waits gets no place for another at once.
   */
  #waitForStart({ caller, patience }: Claim): Promise<void> {
    if (patience === undefined) return this.#wait(caller);
    const { group } = caller;
    const isRefusing = this.#now() - group.refusedAt < REFUSING_MS;
    const hasWaiting = this.#waiting.some((other) => other.caller === caller);
    if (isRefusing && hasWaiting && this.#isMore(caller))
      return Promise.reject(new OverloadError(true));
    return new Promise((resolve, reject) => {
      void this.#wait(caller).then(resolve);
      const waiting = this.#waiting.at(-1);
      if (waiting?.caller !== caller) return;
      waiting.timer = setTimeout(() => {
        const now = this.#now();
        if (this.#isMore(caller)) caller.greedyAt = now;
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        group.refusedAt = now;
        // Of calls that came together, the last ones find those before them refused already.
        reject(new OverloadError(now - caller.greedyAt < REFUSING_MS));
      }, patience);
    });
  }

  /** Returns whether more calls of a caller wait than of others of its group on average, and others do wait. */
  #isMore(caller: Caller): boolean {
    const ofGroup = this.#waiting.filter((other) => other.caller.group === caller.group);
    const own = ofGroup.filter((other) => other.caller === caller).length;
    const callers = new Set(ofGroup.map((other) => other.caller)).size;
    return callers > 1 && own * callers > ofGroup.length;
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
    clearTimeout(next.timer);
    this.#noteServed(next.caller);
    return next;
  }

  #shortestRest(): number {
    return Math.min(...this.#waiting.map(({ caller }) => caller.group.restMs));
  }
}
