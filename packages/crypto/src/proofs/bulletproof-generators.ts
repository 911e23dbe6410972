import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { hashToPoint } from '../curve/hash-to-point.ts';
import { H_BYTES, type Point } from '../curve/point.ts';

/** Bits of one range proof. */
export const RANGE_BITS = 64;
/** Most outputs one aggregated proof may cover. */
export const MAX_OUTPUTS = 16;

/** Returns the unsigned LEB128 encoding of an index below 2^14. */
function shortVarint(value: number): Uint8Array {
  return value < 0x80 ? Uint8Array.of(value) : Uint8Array.of((value & 0x7f) | 0x80, value >> 7);
}

/** Returns Hp(K(H ‖ domain ‖ varint(index))); the hash is taken once here and once inside Hp. */
function generator(domain: string, index: number): Point {
  return hashToPoint(keccak_256(concatBytes(H_BYTES, utf8ToBytes(domain), shortVarint(index))));
}

/**
 * The vector generators G_i and H_i (i < 1024) of one kind of Bulletproof, made when first needed and kept.
 * `domain` is "bulletproof" or "bulletproof_plus". Source: get_exponent in src/ringct/bulletproofs.cc and
 * src/ringct/bulletproofs_plus.cc.
 */
export class BulletproofGenerators {
  readonly #domain: string;
  readonly #g: Point[] = [];
  readonly #h: Point[] = [];

  constructor(domain: 'bulletproof' | 'bulletproof_plus') {
    this.#domain = domain;
  }

  /** Returns the first `count` pairs, at most 1024. */
  take(count: number): { g: readonly Point[]; h: readonly Point[] } {
    if (count > RANGE_BITS * MAX_OUTPUTS) throw new RangeError('no more than 1024 generator pairs');
    for (let i = this.#g.length; i < count; i++) {
      this.#h.push(generator(this.#domain, 2 * i));
      this.#g.push(generator(this.#domain, 2 * i + 1));
    }
    return { g: this.#g.slice(0, count), h: this.#h.slice(0, count) };
  }
}
