/** Milliseconds that each number of threads is tried. */
const WINDOW = 10_000;
/** The gain that one more thread must bring. */
const LEAST_GAIN = 1.02;

/**
 * Finds out how many threads are worth it: one more is tried until the hash rate no longer grows by 2 %. Source:
 * update_autodetection in src/cryptonote_basic/miner.cpp.
 */
export class ThreadCount {
  readonly #most: number;
  #count = 1;
  #isFound = false;
  #since: number;
  #hashesBefore: number;
  #bestRate = 0;

  /**
   * @param most threads to try
   * @param now milliseconds
   * @param hashes done so far
   */
  constructor(most: number, now: number, hashes: number) {
    this.#most = most;
    this.#since = now;
    this.#hashesBefore = hashes;
  }

  get count(): number {
    return this.#count;
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** To be told the time and the hashes done now and then; `count` may change. */
  update(now: number, hashes: number): void {
    if (this.#isFound || now - this.#since < WINDOW) return;
    const rate = (hashes - this.#hashesBefore) / (now - this.#since);
    if (this.#count > 1 && rate < this.#bestRate * LEAST_GAIN) {
      this.#count--;
      this.#isFound = true;
      return;
    }
    this.#bestRate = rate;
    this.#since = now;
    this.#hashesBefore = hashes;
    if (this.#count < this.#most) this.#count++;
    else this.#isFound = true;
  }
}
