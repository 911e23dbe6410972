import { bytesToHex } from '@noble/hashes/utils.js';
import { hashToPoint } from '../curve/hash-to-point.ts';
import { decodePoint, type Point } from '../curve/point.ts';

/** A ring member's key as a point, and its image under Hp. */
export interface RingKey {
  readonly point: Point;
  readonly hashed: Point;
}

/** Remembers decoded ring keys: an output is a decoy many times. Holds a bounded number, oldest out first. */
export class RingMemberCache {
  readonly #capacity: number;
  readonly #keys = new Map<string, RingKey>();

  constructor(capacity = 4096) {
    this.#capacity = capacity;
  }

  /** Undefined if the key is no point (such keys are not remembered). */
  lookup(key: Uint8Array): RingKey | undefined {
    const name = bytesToHex(key);
    const known = this.#keys.get(name);
    if (known !== undefined) return known;

    const point = decodePoint(key);
    if (point === undefined) return undefined;
    const ringKey = { point, hashed: hashToPoint(key) };
    if (this.#keys.size >= this.#capacity) {
      const oldest = this.#keys.keys().next();
      if (oldest.done !== true) this.#keys.delete(oldest.value);
    }
    this.#keys.set(name, ringKey);
    return ringKey;
  }
}
