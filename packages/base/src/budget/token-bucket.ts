import type { MillisecondClock } from '../time/clock.ts';

/** Shortest wait worth starting a timer for, in milliseconds. */
const MIN_WAIT_MS = 5;

/**
 * Limits a rate: bytes, milliseconds of CPU time or another cost per second. One taker may overdraw the bucket and must
 * then wait until the debt is paid. By default one second's worth is saved up.
 */
export class TokenBucket {
  readonly #now: MillisecondClock;
  readonly #burstSeconds: number;
  #rate: number;
  #tokens: number;
  #last: number;

  /**
   * @param rate units per second
   * @param now milliseconds
   * @param burstSeconds how many seconds' worth of unused units is saved up
   */
  constructor(rate: number, now: MillisecondClock, burstSeconds = 1) {
    this.#now = now;
    this.#rate = rate;
    this.#burstSeconds = burstSeconds;
    this.#tokens = rate * burstSeconds;
    this.#last = now();
  }

  /** Units per second. */
  get rate(): number {
    return this.#rate;
  }

  /** Units saved up; negative while a debt is paid. */
  get available(): number {
    this.#refill();
    return this.#tokens;
  }

  setRate(rate: number): void {
    this.#refill();
    this.#rate = rate;
    this.#tokens = Math.max(Math.min(this.#tokens, rate * this.#burstSeconds), -rate);
  }

  /** Takes that many units and returns how many milliseconds to wait before the next ones are taken. */
  take(units: number): number {
    this.#refill();
    this.#tokens -= units;
    const wait = this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate) * 1000;
    return wait < MIN_WAIT_MS ? 0 : wait;
  }

  #refill(): void {
    const now = this.#now();
    const elapsed = Math.max(0, now - this.#last);
    this.#last = now;
    this.#tokens = Math.min(
      this.#rate * this.#burstSeconds,
      this.#tokens + (elapsed / 1000) * this.#rate,
    );
  }
}
