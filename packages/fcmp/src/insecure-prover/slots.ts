import { mod } from '@noble/curves/abstract/modular.js';
import type { Variable } from '../circuit/circuit.ts';
import { doublings } from '../circuit/discrete-log.ts';
import { CYCLE_BITS, ED_BITS } from '../circuit/layout.ts';
import type { Claim, Divisor, PointVariables } from '../circuit/tape.ts';
import { type Affine, type EdPoint, toWei25519, WEI25519 } from '../curves/ed25519.ts';
import { l } from '../curves/fields.ts';
import type { Generators } from '../curves/generators.ts';
import type { ShortWeierstrass } from '../curves/helios-selene.ts';
import { type CurveFunction, decompose, divisorOf } from './divisor.ts';
import { multipleOf, type NumberSource } from './prove-spend.ts';

/** The slots of the vector commitments on a curve, and the blinds of these. */
export class Slots {
  readonly values: bigint[][];
  readonly blinds: bigint[];

  /**
   * @param commitments how many there are
   * @param rows slots of each
   * @param order of the curve
   */
  constructor(commitments: number, rows: number, order: bigint, random: NumberSource) {
    this.values = Array.from({ length: commitments }, () => new Array<bigint>(rows).fill(0n));
    this.blinds = Array.from({ length: commitments }, () => random(order));
  }

  /** Fills in a slot. Throws Error for a variable that is none. */
  put(variable: Variable, value: bigint): void {
    if (variable.side !== 'C') throw new Error('not a slot');
    (this.values[variable.commitment] as bigint[])[variable.slot] = value;
  }

  /** Fills in the first slots of a list. */
  putAll(variables: readonly Variable[], values: readonly bigint[]): void {
    for (const [i, value] of values.entries()) this.put(variables[i] as Variable, value);
  }

  /** Fills in both coordinates of a point. */
  putPoint({ x, y }: PointVariables, point: Affine): void {
    this.put(x, point.x);
    this.put(y, point.y);
  }

  #putDivisor(divisor: Divisor, { a, b }: CurveFunction): void {
    const bits = divisor.length;
    const ofB = Math.floor((bits + 2) / 2) - 1;
    const ofA = Math.floor((bits + 1) / 2);
    const coefficients = (from: readonly bigint[], first: number, end: number): bigint[] =>
      Array.from({ length: end - first }, (_, i) => from[first + i] ?? 0n);
    this.putAll(divisor, [
      ...coefficients(b, 0, ofB),
      ...coefficients(a, 2, ofA + 1),
      a[0] as bigint,
    ]);
  }

  /** Fills in a claim of scalar·base: digits, point and divisor. */
  putClaim({ digits, divisor, point }: Claim, base: Base, scalar: bigint): void {
    const reduced = mod(scalar, base.order);
    const values = decompose(reduced, base.order, base.bits);
    const result = base.multiple(reduced);
    const multiples = doublings(base.affine, base.curve, base.bits);
    const zeros = values.flatMap((digit, i) =>
      new Array<Affine>(digit).fill(multiples[i] as Affine),
    );
    const negated = { x: result.x, y: base.curve.field - result.y };
    this.putAll(digits, values.map(BigInt));
    this.putPoint(point, result);
    this.#putDivisor(divisor, divisorOf(base.curve, [negated, ...zeros]));
  }
}

/** Something of which a multiple is claimed. */
export interface Base {
  readonly curve: ShortWeierstrass;
  readonly order: bigint;
  readonly bits: number;
  readonly affine: Affine;
  readonly multiple: (scalar: bigint) => Affine;
}

/** Returns a generator of Ed25519 as the base of claims. */
export const onEd = (point: EdPoint): Base => ({
  curve: WEI25519,
  order: l,
  bits: ED_BITS,
  affine: toWei25519(point),
  multiple: (scalar) => toWei25519(multipleOf(scalar, point)),
});

/** Returns h of Helios or Selene as the base of claims. */
export const onCycle = ({ curve, h }: Generators): Base => ({
  curve,
  order: curve.order,
  bits: CYCLE_BITS,
  affine: h.toAffine(),
  multiple: (scalar) => h.multiplyUnsafe(scalar).toAffine(),
});
