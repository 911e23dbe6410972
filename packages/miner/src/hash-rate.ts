/** Measurements that the average is taken over. */
const KEPT = 19;

/** Hashes a second, of late and on average. Source: merge_hr in src/cryptonote_basic/miner.cpp. */
export class HashRate {
  readonly #now: () => number;
  readonly #rates: number[] = [];
  #hashes = 0;
  #total = 0;
  #since: number;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  add(hashes: number): void {
    this.#hashes += hashes;
    this.#total += hashes;
  }

  /** Ends a stretch of time and begins the next. */
  measure(): void {
    const now = this.#now();
    this.#rates.push((this.#hashes * 1000) / (now - this.#since + 1));
    if (this.#rates.length > KEPT) this.#rates.shift();
    this.#hashes = 0;
    this.#since = now;
  }

  /** In the stretch that ended last. */
  get current(): number {
    return this.#rates.at(-1) ?? 0;
  }

  /** Of the last intervals, about 40 seconds. */
  get average(): number {
    const { length } = this.#rates;
    return length === 0 ? 0 : this.#rates.reduce((sum, rate) => sum + rate, 0) / length;
  }

  /** Hashes since the start. */
  get total(): number {
    return this.#total;
  }
}
