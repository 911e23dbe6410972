import { blake2b } from '@noble/hashes/blake2.js';
import { decodeElement, reduceWide } from './curves/fields.ts';
import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import type { FcmpBackend } from './backend/backend.ts';
import type { CycleCurve, CyclePoint } from './curves/helios-selene.ts';
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

/** Commitments of a statement on one curve. */
export interface Commitments {
  /** C_j = Σ v_i·G_i + m·h. */
  readonly vectors: readonly CyclePoint[];
  /** V_j = v·g + m·h, of which FCMP++ has none. */
  readonly values: readonly CyclePoint[];
}

/** A transcript that takes what it absorbs from the bytes of a proof. */
export class ProofReader {
  readonly transcript: Transcript;
  readonly #bytes: Uint8Array;
  readonly #backend: FcmpBackend;
  #at = 0;

  constructor(context: Uint8Array, bytes: Uint8Array, backend: FcmpBackend) {
    this.transcript = new Transcript(context);
    this.#bytes = bytes;
    this.#backend = backend;
  }

  /** Whether all bytes have been read. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  #take(): Uint8Array {
    const bytes = this.#bytes.subarray(this.#at, (this.#at += ELEMENT_BYTES));
    if (bytes.length < ELEMENT_BYTES) throw new RefusedProof('the proof ends early');
    return bytes;
  }

  /** Returns the next point. Throws `RefusedProof` if it is none, or the identity. */
  point(curve: CycleCurve): CyclePoint {
    const bytes = this.#take();
    this.transcript.point(bytes);
    return this.#backend.decodePoint(curve, bytes);
  }

  /** Returns the next `count` points. */
  points(curve: CycleCurve, count: number): CyclePoint[] {
    return Array.from({ length: count }, () => this.point(curve));
  }

  /** Returns the next scalar. Throws `RefusedProof` if it is not below the modulus. */
  scalar(modulus: bigint): bigint {
    const bytes = this.#take();
    this.transcript.scalar(bytes);
    return decodeElement(bytes, modulus);
  }

  /** Returns the next commitments: so many to vectors, and so many to one value each. */
  commitments(curve: CycleCurve, vectors: number, values = 0): Commitments {
    this.transcript.count(vectors);
    const ofVectors = this.points(curve, vectors);
    this.transcript.count(values);
    return { vectors: ofVectors, values: this.points(curve, values) };
  }
}
