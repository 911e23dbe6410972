import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import type { FcmpBackend } from './backend/backend.ts';
import { decodeElement } from './curves/fields.ts';
import type { CycleCurve, CyclePoint } from './curves/helios-selene.ts';
import { RefusedProof } from './refused-proof.ts';
import { Transcript } from './transcript.ts';

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
