import type { Logger, MillisecondClock } from '@monero-node/base';
import { StandingNotice } from './standing-notice.ts';

/** Shares of the limit at which the notice begins and ends. */
const FULL = 0.98;
const ROOMY = 0.9;

/** Warns when the transaction pool is full, and reports when it has room again. */
export class PoolNotice {
  readonly #weight: () => number;
  readonly #limit: number;
  readonly #notice: StandingNotice;
  #isFull = false;

  /**
   * @param weight returns the weight of all transactions in the pool
   * @param limit weight at which the pool evicts transactions
   * @param now a monotonic clock
   */
  constructor(weight: () => number, limit: number, logger: Logger, now: MillisecondClock) {
    this.#weight = weight;
    this.#limit = limit;
    this.#notice = new StandingNotice(
      (sentence) => logger.warn(sentence),
      'The transaction pool has room again.',
      now,
    );
  }

  check(): void {
    const share = this.#weight() / this.#limit;
    this.#isFull = share >= (this.#isFull ? ROOMY : FULL);
    this.#notice.update(
      this.#isFull
        ? `The transaction pool is full: ${(this.#weight() / 1e6).toFixed(1)} of ${(this.#limit / 1e6).toFixed(1)} MB. The transactions with the lowest fees are dropped; --max-txpool-weight sets the limit.`
        : undefined,
    );
  }
}
