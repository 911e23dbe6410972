import { BoundedMap } from '@monero-node/base';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashToPoint } from '../curve/hash-to-point.ts';
import { decodePoint, type Point } from '../curve/point.ts';

/** A ring member's key as a point, and its image under Hp. */
export interface RingKey {
  readonly point: Point;
  readonly hashed: Point;
}

/** Keys kept: about the ring members of 250 inputs. */
const DEFAULT_CAPACITY = 4096;

/** Remembers decoded ring members, because an output is a decoy in many rings. Drops the oldest first. */
export class RingMemberCache {
  readonly #keys: BoundedMap<string, RingKey>;

  /** @param capacity most keys */
  constructor(capacity = DEFAULT_CAPACITY) {
    this.#keys = new BoundedMap(capacity);
  }

  /** Returns undefined if the 32 bytes do not decode to a point; such keys are not remembered. */
  lookup(key: Uint8Array): RingKey | undefined {
    const name = bytesToHex(key);
    const known = this.#keys.get(name);
    if (known !== undefined) return known;

    const point = decodePoint(key);
    if (point === undefined) return undefined;
    const ringKey = { point, hashed: hashToPoint(key) };
    this.#keys.set(name, ringKey);
    return ringKey;
  }
}
