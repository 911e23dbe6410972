import type { MillisecondClock } from '@monero-node/base';

/** Longest time between two looks that counts. In a longer one this process was held up, and what the other said waits to be read. */
const MOST_PER_LOOK_MS = 1000;

/** The time since another process said something, as far as this process could have heard it. */
export class Silence {
  readonly #now: MillisecondClock;
  #lookedAt: number;
  #milliseconds = 0;

  constructor(now: MillisecondClock) {
    this.#now = now;
    this.#lookedAt = now();
  }

  /** The other process has said something. */
  end(): void {
    this.#milliseconds = 0;
  }

  /** Returns its length in milliseconds. To be called a few times a second. */
  look(): number {
    const now = this.#now();
    this.#milliseconds += Math.min(now - this.#lookedAt, MOST_PER_LOOK_MS);
    this.#lookedAt = now;
    return this.#milliseconds;
  }
}
