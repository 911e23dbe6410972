import { seededRandom, type RandomSource } from '@monero-node/base';

/** A deterministic generator, so that two recordings with the same seed make the same choices. Not for secrets. */
export class Random {
  /** Returns the next fraction in [0, 1). */
  readonly next: RandomSource;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  uniform(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** Both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  choice<T>(items: readonly T[]): T {
    const chosen = items[Math.floor(this.next() * items.length)];
    if (chosen === undefined) throw new Error('a choice of nothing');
    return chosen;
  }
}
