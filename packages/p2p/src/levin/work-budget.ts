import { TokenBucket, BoundedMap } from '@monero-node/base';
import type { MillisecondClock } from '@monero-node/base';
import { isUnknown } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import { connectionLimitHost, privateRange } from '../net/ip-address.ts';
import { costOf } from '../messages/commands.ts';

/**
 * Milliseconds of CPU time per second that the messages of a peer may take, and how many seconds' worth are saved up. A
 * peer that downloads our chain as fast as it can verify it takes less.
 */
const CPU_RATE = 500;
const CPU_BURST_SECONDS = 10;
/** The same for the minimum costs of messages that honest peers send rarely: it allows 10 chain requests per second. */
const RARE_RATE = 100;
const RARE_BURST_SECONDS = 30;
/** Longest wait for one message, milliseconds. */
const MAX_WAIT = 10_000;
/** Our patience lasts for that many milliseconds of overdrawing; a longer pause than the second starts it anew. */
const PATIENCE = 60_000;
const PAUSE = 10_000;

/**
 * The CPU time that the messages of a peer may take. Above it the peer waits. Messages that honest peers send rarely have
 * a second, smaller budget, and overdrawing that one for a minute exhausts our patience.
 */
export class WorkBudget {
  readonly #now: MillisecondClock;
  readonly #cpu: TokenBucket;
  readonly #rare: TokenBucket;
  #overdrawnSince = 0;
  #lastOverdrawn = -Infinity;

  /** @param now must never go back */
  constructor(now: MillisecondClock) {
    this.#now = now;
    this.#cpu = new TokenBucket(CPU_RATE, now, CPU_BURST_SECONDS);
    this.#rare = new TokenBucket(RARE_RATE, now, RARE_BURST_SECONDS);
  }

  /** Whether rare messages have been coming faster than allowed for a minute. */
  get isExhausted(): boolean {
    const isOverdrawing = this.#now() - this.#lastOverdrawn <= PAUSE;
    return isOverdrawing && this.#lastOverdrawn - this.#overdrawnSince >= PATIENCE;
  }

  /** Spends time on a message that is still being handled. */
  spend(milliseconds: number): void {
    this.#cpu.take(milliseconds);
  }

  /**
   * Spends the time that a message took, but at least the cost of its command. Returns how many milliseconds to wait
   * before the next message is handled.
   */
  charge(command: number, milliseconds: number): number {
    const cost = costOf(command);
    if (cost.milliseconds === 0) return 0;
    const wait = this.#cpu.take(Math.max(milliseconds, cost.milliseconds));
    const rareWait = cost.isRare ? this.#rare.take(cost.milliseconds) : 0;
    if (rareWait > 0) this.#overdrawn();
    return Math.min(Math.max(wait, rareWait), MAX_WAIT);
  }

  #overdrawn(): void {
    const now = this.#now();
    if (now - this.#lastOverdrawn > PAUSE) this.#overdrawnSince = now;
    this.#lastOverdrawn = now;
  }
}

/** Hosts remembered; the ones that connected longest ago are forgotten first. */
const MAX_HOSTS = 10_000;

/** The budgets of all peers, by host, so that connecting again brings no new one. */
export class WorkBudgets {
  readonly #now: MillisecondClock;
  readonly #byHost = new BoundedMap<string, WorkBudget>(MAX_HOSTS);

  /** @param now must never go back */
  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /** Returns the budget for a connection. Those from this machine, such as from a proxy, get one of their own. */
  of(address: NetAddress): WorkBudget {
    if (isUnknown(address) || privateRange(address) === 'loopback')
      return new WorkBudget(this.#now);
    const host = connectionLimitHost(address);
    const budget = this.#byHost.get(host) ?? new WorkBudget(this.#now);
    this.#byHost.set(host, budget);
    return budget;
  }
}
