/**
 * Small deterministic generator (mulberry32), so that two recordings with the same seed make the same choices. Not
 * for secrets.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  uniform(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** Returns an integer in a range that includes both ends. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  choice<T>(items: readonly T[]): T {
    const chosen = items[Math.floor(this.next() * items.length)];
    if (chosen === undefined) throw new Error('a choice of nothing');
    return chosen;
  }
}
