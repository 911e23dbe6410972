/** Shares in a row that are all checked. */
const PROBATION = 10;
/** Least part of the shares of a trusted rig that is checked. */
const LEAST_PART = 1 / 16;

/** How far a rig is believed. */
export class Trust {
  readonly #random: () => number;
  #right = 0;
  #isLiar = false;

  /** @param random returns numbers from 0 up to 1 */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Whether a hash of it was wrong: all its shares are checked then. */
  get isLiar(): boolean {
    return this.#isLiar;
  }

  /** Whether all its shares are checked as yet. */
  get isOnProbation(): boolean {
    return !this.#isLiar && this.#right < PROBATION;
  }

  /** Returns whether the hash of the next share is to be computed here: always at first, then less and less often. */
  mustCheck(): boolean {
    if (this.#isLiar || this.#right < PROBATION) return true;
    return this.#random() < Math.max(LEAST_PART, PROBATION / this.#right);
  }

  /** Notes a hash that was right. */
  right(): void {
    this.#right++;
  }

  /** Notes a hash that was wrong. */
  wrong(): void {
    this.#isLiar = true;
  }
}
