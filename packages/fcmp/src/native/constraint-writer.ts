import { mod } from '@noble/curves/abstract/modular.js';
import type { Weighing, WeighedConstraints } from '../backend/weights.ts';
import type {
  ConstraintSink,
  Linear,
  Product,
  Term,
  Variable,
  Weights,
} from '../circuit/circuit.ts';
import type { CycleCurve } from '../curves/helios-selene.ts';
import { CURVE_NUMBERS, type FcmpAddon } from './addon.ts';
import { Words } from './words.ts';

// How native/constraint_weights.h has a constraint, its terms and its products.
const KINDS = { aL: 0, aR: 1, aO: 2, C: 3, V: 4 } as const;
const KIND_BITS = 3;
const STATE_HEAD = 2;
const HEADER_WORDS = 3;
const VARIABLE_WORDS = 2;
const TERM_WORDS = 1 + VARIABLE_WORDS;

/** Room for the constraints between two calls of the addon, unless a single one needs more. */
const PROGRAM_WORDS = 1 << 16;
const VALUES = 1 << 13;

/** Writes constraints for the addon, which adds them up. Lists of weights that several constraints share are written once. */
export class ConstraintWriter {
  readonly #addon: FcmpAddon;
  readonly #curve: CycleCurve;
  readonly #weighing: Weighing;
  readonly #state: Words;
  readonly #powers: Words;
  #program = new Uint32Array(PROGRAM_WORDS);
  #end = 0;
  #values = new Words(VALUES);
  readonly #places = new Map<Weights, number>();

  constructor(addon: FcmpAddon, curve: CycleCurve, weighing: Weighing) {
    this.#addon = addon;
    this.#curve = curve;
    this.#weighing = weighing;
    const { n, values, z, xPowers } = weighing;
    this.#state = new Words(STATE_HEAD + 4 * n + values);
    this.#state.push(1n);
    this.#powers = new Words(1 + xPowers.length);
    this.#powers.push(z);
    this.#powers.pushAll(xPowers);
  }

  /** Takes the next constraint. */
  readonly sink: ConstraintSink = (constraint) => {
    const { terms, products = [], constant } = constraint;
    this.#makeRoom(constraint);
    this.#write(terms.length);
    this.#write(products.length);
    this.#write(this.#place(constant));
    for (const term of terms) this.#term(term);
    for (const product of products) this.#product(product);
  };

  /** Returns the sums of all constraints. */
  finish(): WeighedConstraints {
    this.#flush();
    const { n, values } = this.#weighing;
    const sums = (kind: number, count: number): bigint[] =>
      this.#state.slice(STATE_HEAD + kind * n, count);
    return {
      wL: sums(KINDS.aL, n),
      wR: sums(KINDS.aR, n),
      wO: sums(KINDS.aO, n),
      wC: sums(KINDS.C, n),
      wV: sums(KINDS.V, values),
      kappa: this.#state.at(1),
    };
  }

  #write(word: number): void {
    this.#program[this.#end++] = word;
  }

  /** Appends a value, and returns its place. */
  #place(value: bigint): number {
    this.#values.push(mod(value, this.#curve.order));
    return this.#values.length - 1;
  }

  #term([variable, weight]: Term): void {
    this.#write(this.#place(weight));
    this.#variable(variable);
  }

  #product({ variables, weights, isNegated }: Product): void {
    let place = this.#places.get(weights);
    if (place === undefined) {
      place = this.#values.length;
      if (weights instanceof Words) this.#values.append(weights);
      else for (let i = 0; i < weights.length; i++) this.#values.push(weights.at(i) as bigint);
      this.#places.set(weights, place);
    }
    this.#write(variables.length);
    this.#write(place);
    this.#write(isNegated ? 1 : 0);
    for (const variable of variables) this.#variable(variable);
  }

  #variable(variable: Variable): void {
    const kind = KINDS[variable.side];
    if (variable.side === 'C') {
      this.#write(kind | (variable.commitment << KIND_BITS));
      this.#write(variable.slot);
    } else {
      this.#write(kind);
      this.#write(variable.side === 'V' ? variable.commitment : variable.gate);
    }
  }

  /** Leaves room for a constraint. */
  #makeRoom({ terms, products = [] }: Linear): void {
    let words = HEADER_WORDS + TERM_WORDS * terms.length;
    let values = 1 + terms.length;
    for (const { variables, weights } of products) {
      words += HEADER_WORDS + VARIABLE_WORDS * variables.length;
      values += weights.length;
    }
    const isFull =
      this.#end + words > this.#program.length || this.#values.length + values > this.#values.room;
    if (!isFull) return;
    this.#flush();
    if (words > this.#program.length) this.#program = new Uint32Array(words);
    if (values > this.#values.room) this.#values = new Words(values);
  }

  #flush(): void {
    const { n } = this.#weighing;
    this.#addon.addConstraints(
      CURVE_NUMBERS[this.#curve.name],
      n,
      this.#state.bytes,
      this.#program.subarray(0, this.#end),
      this.#values.bytes,
      this.#powers.bytes,
    );
    this.#end = 0;
    this.#values.clear();
    this.#places.clear();
  }
}
