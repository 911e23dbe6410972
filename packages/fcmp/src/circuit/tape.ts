import { WORD_SLOTS } from '@monero-node/codec/fcmp-proof-size';
import type { Variable } from './circuit.ts';

/** The coordinates of a point that the prover knows. */
export interface PointVariables {
  readonly x: Variable;
  readonly y: Variable;
}

/** What proves that a point is a multiple of a generator: digits of the multiple, a divisor, and the point. */
export interface Claim {
  /** Digits d_i of weight 2^i. They need not be bits; only their sum counts. */
  readonly digits: readonly Variable[];
  readonly divisor: Divisor;
  readonly point: PointVariables;
}

/** Coefficients of a function: of y, of y·x … y·x^m, of x² … x^w, and the constant. That of x is 1. */
export type Divisor = readonly Variable[];

/** The slots of digits and divisors before the last one, which holds a coordinate. */
const LAST_SLOT = 2 * WORD_SLOTS - 1;

/**
 * Gives out the slots of a list of vector commitments in order. A branch owns its commitment, all else is packed in words of
 * 128 slots. Source: monero-oxide, crypto/fcmps/src/tape.rs.
 */
export class Tape {
  readonly #rows: number;
  #commitments = 0;
  #slot: number;

  /** `rows` are the slots of a commitment, a multiple of 128. */
  constructor(rows: number) {
    this.#rows = rows;
    this.#slot = rows;
  }

  /** Commitments that have been begun. */
  get commitments(): number {
    return this.#commitments;
  }

  #word(): Variable[] {
    if (this.#slot === this.#rows) {
      this.#commitments++;
      this.#slot = 0;
    }
    const commitment = this.#commitments - 1;
    const first = this.#slot;
    this.#slot += WORD_SLOTS;
    return Array.from({ length: WORD_SLOTS }, (_, i) => ({
      side: 'C',
      commitment,
      slot: first + i,
    }));
  }

  #twoWords(): Variable[] {
    return [...this.#word(), ...this.#word()];
  }

  /** Returns a branch of `width` values. All branches come first, so one begins a commitment and leaves its other slots unused. */
  branch(width: number): Variable[] {
    const commitment = this.#commitments++;
    return Array.from({ length: width }, (_, slot) => ({ side: 'C', commitment, slot }));
  }

  /** Returns a claim of a multiple with `bits` bits, and the slots between its digits and its point. */
  claim(bits: number): Claim & { readonly padding: readonly Variable[] } {
    const digits = this.#twoWords();
    const { divisor, last } = this.divisor(bits);
    return {
      digits: digits.slice(0, bits),
      padding: digits.slice(bits, LAST_SLOT),
      divisor,
      point: { x: digits[LAST_SLOT] as Variable, y: last },
    };
  }

  /** Returns a divisor for a multiple with `bits` bits, which has as many coefficients, and the last slot of its words. */
  divisor(bits: number): { divisor: Divisor; last: Variable } {
    const slots = this.#twoWords();
    return { divisor: slots.slice(0, bits), last: slots[LAST_SLOT] as Variable };
  }
}
