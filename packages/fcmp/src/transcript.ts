import { blake2b } from '@noble/hashes/blake2.js';
import { reduceWide } from './curves/fields.ts';
import { RefusedProof } from './refused-proof.ts';

// Source: monero-oxide, crypto/generalized-bulletproofs/src/transcript.rs.

const SCALAR = 0;
const POINT = 1;
const CHALLENGE = 2;

const COUNT_BYTES = 8;
const CHALLENGE_BYTES = 64;

function count64(count: number): Uint8Array {
  const bytes = new Uint8Array(COUNT_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(count), true);
  return bytes;
}

/**
 * The hash that turns a proof into its challenges: BLAKE2b-512 over a context and all that follows. One transcript serves both
 * curves.
 */
export class Transcript {
  readonly #hash = blake2b.create({ dkLen: CHALLENGE_BYTES });

  /** `context` says what is proved, in 32 bytes. */
  constructor(context: Uint8Array) {
    this.#hash.update(context);
  }

  /** Takes in the 32 bytes of a scalar. */
  scalar(bytes: Uint8Array): void {
    this.#element(SCALAR, bytes);
  }

  /** Takes in the 32 bytes of a point. */
  point(bytes: Uint8Array): void {
    this.#element(POINT, bytes);
  }

  /** Takes in how many vector commitments, or commitments to one value, follow. */
  count(count: number): void {
    this.#hash.update(count64(count));
  }

  #element(tag: number, bytes: Uint8Array): void {
    this.#hash.update(Uint8Array.of(tag)).update(bytes);
  }

  /** Returns 64 bytes. What is drawn is taken in as one byte, so that the next draw differs. */
  challengeBytes(): Uint8Array {
    this.#hash.update(Uint8Array.of(CHALLENGE));
    return this.#hash.clone().digest();
  }

  /** Returns a challenge modulo a prime. Throws `RefusedProof` for zero. */
  challenge(modulus: bigint): bigint {
    const challenge = reduceWide(this.challengeBytes(), modulus);
    if (challenge === 0n) throw new RefusedProof('a challenge is zero');
    return challenge;
  }
}
