import type { MillisecondClock } from '@monero-node/base';

/** Seconds between two shares of a rig. */
const SHARE_SECONDS = 15;
/** The difficulty of a rig that nothing is known about: a share a second at 10 kH/s. */
export const FIRST_DIFFICULTY = 10_000;
/** Least and largest difficulty. A network with a lower one bounds it further. */
const LEAST = 100;
const LARGEST = 2 ** 50;
/** The difficulty is looked at after that many shares or seconds, and sooner when there is hardly a share. */
const WINDOW_SHARES = 10;
const WINDOW_SECONDS = 180;
const SLOW_SECONDS = 60;
/** One look changes it by this factor at most. */
const LARGEST_STEP = 8;
/** It stays as it is when the wanted one differs by less than this factor: ten shares say it to about a third. */
const SMALLEST_STEP = 1.5;

/** Chooses the difficulty with which a rig finds a share every 15 seconds. */
export class Vardiff {
  readonly #now: MillisecondClock;
  #difficulty: number;
  #since: number;
  #shares = 0;
  /** Sum of the difficulties of the shares since then: about the number of hashes. */
  #hashes = 0;

  /** @param now milliseconds */
  constructor(difficulty: number, now: MillisecondClock) {
    this.#difficulty = bounded(difficulty);
    this.#now = now;
    this.#since = now();
  }

  get difficulty(): number {
    return this.#difficulty;
  }

  /** Counts a share of a difficulty. */
  count(difficulty: number): void {
    this.#shares++;
    this.#hashes += difficulty;
  }

  /** Returns whether the difficulty has changed; to be called after each share and every few seconds. */
  look(): boolean {
    const seconds = (this.#now() - this.#since) / 1000;
    const isSlow = seconds >= SLOW_SECONDS && this.#shares <= 1;
    if (this.#shares < WINDOW_SHARES && seconds < WINDOW_SECONDS && !isSlow) return false;
    // Without a share the rig has computed fewer hashes than one takes, or had bad luck.
    const hashes = Math.max(this.#hashes, this.#difficulty / 2);
    const wanted = (hashes / Math.max(seconds, 0.001)) * SHARE_SECONDS;
    const before = this.#difficulty;
    this.#since = this.#now();
    this.#shares = 0;
    this.#hashes = 0;
    if (wanted < before * SMALLEST_STEP && wanted > before / SMALLEST_STEP) return false;
    const step = Math.min(before * LARGEST_STEP, Math.max(before / LARGEST_STEP, wanted));
    this.#difficulty = bounded(step);
    return this.#difficulty !== before;
  }
}

const bounded = (difficulty: number): number =>
  Math.round(Math.min(LARGEST, Math.max(LEAST, difficulty)));
