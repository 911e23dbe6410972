import { monotonicMilliseconds, TokenBucket, type MillisecondClock } from '@monero-node/base';

/** How much of the event loop's time a group of callers gets. */
export interface CallerGroupOptions {
  /** Parts of the time when other groups wait too; 1 when absent. */
  readonly weight?: number;
  /** Milliseconds of each second that the group may use even when nobody else waits; no limit when absent. */
  readonly msPerSecond?: number;
}

/** Callers that share time with other groups as one: those of the owner's port, or those of restricted ports. */
export class CallerGroup {
  /** Milliseconds used, divided by the weight. A group that waits again starts level with those that waited meanwhile. */
  used = 0;
  /** Time that the caller served last had used before. */
  floor = 0;
  /** When a call of the group was last refused because it had waited for too long; monotonic milliseconds. */
  refusedAt = -Infinity;
  #spent = 0;
  readonly #weight: number;
  readonly #budget: TokenBucket | undefined;
  readonly #now: MillisecondClock;
  #restsUntil = 0;

  constructor(
    { weight = 1, msPerSecond }: CallerGroupOptions = {},
    now: MillisecondClock = monotonicMilliseconds,
  ) {
    this.#weight = weight;
    this.#now = now;
    this.#budget = msPerSecond === undefined ? undefined : new TokenBucket(msPerSecond, now);
  }

  /** Milliseconds until the group is within its budget again; 0 when it is. */
  get restMs(): number {
    return this.#restsUntil === 0 ? 0 : Math.max(0, this.#restsUntil - this.#now());
  }

  /** Milliseconds that its calls have taken in all. */
  get spent(): number {
    return this.#spent;
  }

  charge(ms: number): void {
    this.#spent += ms;
    this.used += ms / this.#weight;
    const wait = this.#budget?.take(ms) ?? 0;
    this.#restsUntil = wait === 0 ? 0 : this.#now() + wait;
  }
}

/** Somebody on whose behalf work is done: a remote host, or the console. */
export class Caller {
  readonly group: CallerGroup;
  /** Milliseconds used. A caller that waits again starts level with those that waited meanwhile. */
  used = 0;
  /** When a call of it was last refused because more of its calls waited than of others; monotonic milliseconds. */
  greedyAt = -Infinity;

  constructor(group: CallerGroup) {
    this.group = group;
  }

  charge(ms: number): void {
    this.used += ms;
    this.group.charge(ms);
  }

  /** Whether this caller's turn is before another's: the group that has used less, then the caller. */
  isBefore(other: Caller): boolean {
    return this.group === other.group ? this.used < other.used : this.group.used < other.group.used;
  }
}
