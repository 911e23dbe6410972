import type { MillisecondClock } from '@monero-node/base';
/** Shortest wait worth starting a timer for, in milliseconds. */
const MIN_WAIT_MS = 5;

/**
 * Limits a rate in bytes per second. A transfer may overdraw the bucket; its caller then waits until the debt is paid. At
 * most one second's worth is saved up.
 */
export class TokenBucket {
  readonly #now: MillisecondClock;
  #rate: number;
  #tokens: number;
  #last: number;

  /**
   * @param rate bytes per second
   * @param now milliseconds
   */
  constructor(rate: number, now: MillisecondClock) {
    this.#now = now;
    this.#rate = rate;
    this.#tokens = rate;
    this.#last = now();
  }

  get rate(): number {
    return this.#rate;
  }

  setRate(rate: number): void {
    this.#refill();
    this.#rate = rate;
    this.#tokens = Math.max(Math.min(this.#tokens, rate), -rate);
  }

  /** Takes `bytes` and returns how many milliseconds to wait before the next transfer. */
  take(bytes: number): number {
    this.#refill();
    this.#tokens -= bytes;
    const wait = this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate) * 1000;
    return wait < MIN_WAIT_MS ? 0 : wait;
  }

  #refill(): void {
    const now = this.#now();
    const elapsed = Math.max(0, now - this.#last);
    this.#last = now;
    this.#tokens = Math.min(this.#rate, this.#tokens + (elapsed / 1000) * this.#rate);
  }
}

/** The limits of both directions for all peer-to-peer traffic together. */
export interface RateLimiters {
  readonly up: TokenBucket;
  readonly down: TokenBucket;
}
