import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import type { CycleTerms } from '../backend/backend.ts';
import { invert } from '../curves/fields.ts';
import type { Generators } from '../curves/generators.ts';
import type { CyclePoint } from '../curves/helios-selene.ts';
import { Words } from '../native/words.ts';
import { type FcmpExports, instantiateFcmp } from './instance.ts';

const LIMB_BITS = 29n;
const LIMB = 1n << LIMB_BITS;
const LIMBS = 9;
const LIMB_BYTES = 8;
/** The factor of Montgomery's form. */
const FACTOR = 1n << 261n;
/** x, y and the scalar of a point; two numbers stand before all of them. */
const TERM_ELEMENTS = 3;
const HEAD_ELEMENTS = 2;

/** What the module is told of a field. */
interface FieldWords {
  readonly limbs: readonly [number, number, number, number, number];
  readonly inverse: number;
  /** The square of the factor, and the factor, modulo the prime. */
  readonly head: readonly [bigint, bigint];
}

function fieldWords(prime: bigint): FieldWords {
  const c = (1n << 255n) - prime;
  const limb = (i: bigint): number => Number((c >> (i * LIMB_BITS)) % LIMB);
  return {
    limbs: [limb(0n), limb(1n), limb(2n), limb(3n), limb(4n)],
    inverse: Number(invert(c, LIMB)),
    head: [(FACTOR * FACTOR) % prime, FACTOR % prime],
  };
}

/** Sums of multiples of points of Helios and Selene in WebAssembly. Its memory grows to the need of the largest sum and stays. */
export class WasmCycleSum {
  readonly #wasm: FcmpExports;
  readonly #fields = new Map<bigint, FieldWords>();

  /** Throws BackendUnavailable where there is no WebAssembly. */
  constructor(wasm: FcmpExports = instantiateFcmp()) {
    this.#wasm = wasm;
  }

  /** Returns the sum of multiples of points and of the fixed generators of a curve. */
  sum(generators: Generators, { points, scalars, g, h, G, H }: CycleTerms): CyclePoint {
    const { field, Point } = generators.curve;
    const all = [
      ...[...points, generators.g, generators.h],
      ...[...generators.G(G.length), ...generators.H(H.length)],
    ];
    const factors = [...scalars, g, h, ...G, ...H];
    // The identity has no coordinates; zero times a point is nothing either.
    const terms = all.flatMap((point, i): [CyclePoint, bigint][] => {
      const factor = factors[i] as bigint;
      return factor === 0n || point.is0() ? [] : [[point, factor]];
    });
    const { limbs, inverse, head } = this.#fieldOf(field);
    this.#wasm.setPrime(...limbs, inverse);
    const start = this.#wasm.begin(terms.length);
    const words = this.#words(start, HEAD_ELEMENTS + TERM_ELEMENTS * terms.length);
    words.pushAll(head);
    for (const [point, factor] of terms) {
      words.pushPoint(point.toAffine());
      words.push(factor);
    }
    const place = this.#wasm.sum(terms.length);
    if (place === 0) return Point.ZERO;
    const [X, Y, ZZ, ZZZ] = [0, 1, 2, 3].map((i) => this.#element(place, i)) as [
      ...[bigint, bigint, bigint, bigint],
    ];
    // The factor of Montgomery's form is in both parts of each fraction.
    return Point.fromAffine({
      x: (X * invert(ZZ, field)) % field,
      y: (Y * invert(ZZZ, field)) % field,
    });
  }

  #fieldOf(prime: bigint): FieldWords {
    let words = this.#fields.get(prime);
    if (words === undefined) this.#fields.set(prime, (words = fieldWords(prime)));
    return words;
  }

  /** Returns room for elements in the module's memory, until that grows. */
  #words(start: number, count: number): Words {
    const bytes = new Uint8Array(this.#wasm.memory.buffer, start, count * ELEMENT_BYTES);
    return new Words(count, bytes);
  }

  /** Returns an element of the result, modulo the prime up to a multiple of it. */
  #element(place: number, index: number): bigint {
    const size = LIMBS * LIMB_BYTES;
    const view = new DataView(this.#wasm.memory.buffer, place + index * size, size);
    let value = 0n;
    for (let i = LIMBS - 1; i >= 0; i--) {
      value = (value << LIMB_BITS) + view.getBigInt64(i * LIMB_BYTES, true);
    }
    return value;
  }
}
