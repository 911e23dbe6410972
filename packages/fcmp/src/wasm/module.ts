import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { invert } from '../curves/fields.ts';
import { Words } from '../native/words.ts';
import { type FcmpExports, instantiateFcmp } from './instance.ts';

const LIMB_BITS = 29n;
const LIMB = 1n << LIMB_BITS;
const LIMBS = 9;
const LIMB_BYTES = 8;
/** The factor of Montgomery's form. */
const FACTOR = 1n << 261n;
/** Numbers that stand before all others. */
const HEAD_ELEMENTS = 2;

/** What the module is told of a field. */
interface FieldWords {
  readonly limbs: readonly [number, number, number, number, number];
  readonly inverse: number;
  /** The square of the factor, and the factor, modulo the prime. */
  readonly head: readonly [bigint, bigint];
}

/** Throws RangeError unless the prime is 2^255 less a number of at most 145 bits: the module has no other fields. */
function fieldWords(prime: bigint): FieldWords {
  const c = (1n << 255n) - prime;
  if (c <= 0n || c >= LIMB ** 5n) throw new RangeError('not a prime of the cycle of curves');
  const limb = (i: bigint): number => Number((c >> (i * LIMB_BITS)) % LIMB);
  return {
    limbs: [limb(0n), limb(1n), limb(2n), limb(3n), limb(4n)],
    inverse: Number(invert(c, LIMB)),
    head: [(FACTOR * FACTOR) % prime, FACTOR % prime],
  };
}

/** An instance of the module with its memory, which grows to the need of the largest sum and stays. */
export class FcmpModule {
  readonly wasm: FcmpExports;
  readonly #fields = new Map<bigint, FieldWords>();
  #place = 0;

  /** Throws BackendUnavailable where there is no WebAssembly. */
  constructor(wasm: FcmpExports = instantiateFcmp()) {
    this.wasm = wasm;
  }

  /** Where the numbers of the last `begin` stand. */
  get place(): number {
    return this.#place;
  }

  /** Takes the prime for what follows, and returns room for `count` numbers, with memory for a sum of `terms` points. */
  begin(prime: bigint, count: number, terms: number): Words {
    let field = this.#fields.get(prime);
    if (field === undefined) this.#fields.set(prime, (field = fieldWords(prime)));
    this.wasm.setPrime(...field.limbs, field.inverse);
    this.#place = this.wasm.begin(terms);
    const size = (HEAD_ELEMENTS + count) * ELEMENT_BYTES;
    const words = new Words(
      HEAD_ELEMENTS + count,
      new Uint8Array(this.wasm.memory.buffer, this.#place, size),
    );
    words.pushAll(field.head);
    return words;
  }

  /** Returns element `index` of a result, plus any multiple of the prime. */
  element(place: number, index: number): bigint {
    const size = LIMBS * LIMB_BYTES;
    const view = new DataView(this.wasm.memory.buffer, place + index * size, size);
    let value = 0n;
    for (let i = LIMBS - 1; i >= 0; i--) {
      value = (value << LIMB_BITS) + view.getBigInt64(i * LIMB_BYTES, true);
    }
    return value;
  }
}
