import { pippenger } from '@noble/curves/abstract/curve.js';
import { G, Point } from '../curve/point.ts';
import { Fn } from '../curve/scalar.ts';
import type { BulletproofGenerators } from '../proofs/bulletproof-generators.ts';

/** The largest amount, which is also the sum of 2^i over the bits of an amount. */
export const TWO_TO_64_MINUS_1 = 2n ** 64n - 1n;

/** The weighted sum of all proofs of a batch, which must be the identity. The fixed generators occur once in it. */
export class MultiExponentiation {
  readonly points: Point[] = [];
  readonly scalars: bigint[] = [];
  readonly gi: bigint[];
  readonly hi: bigint[];
  g = 0n;
  h = 0n;

  constructor(vectorLength: number) {
    this.gi = new Array<bigint>(vectorLength).fill(0n);
    this.hi = new Array<bigint>(vectorLength).fill(0n);
  }

  add(scalar: bigint, point: Point): void {
    this.scalars.push(scalar);
    this.points.push(point);
  }

  isIdentity(H: Point, generators: BulletproofGenerators): boolean {
    const { g, h } = generators.take(this.gi.length);
    return pippenger(
      Point,
      [...this.points, G, H, ...g, ...h],
      [...this.scalars, this.g, this.h, ...this.gi, ...this.hi],
    ).is0();
  }
}

/** Returns s_i for every i below 2^rounds: the product of w_j where bit rounds-1-j of i is set and of 1/w_j elsewhere. */
export function challengeProducts(w: readonly bigint[], wInverse: readonly bigint[]): bigint[] {
  let products = [1n];
  for (const [j, challenge] of w.entries()) {
    const inverse = wInverse[j] as bigint;
    products = products.flatMap((product) => [
      Fn.mul(product, inverse),
      Fn.mul(product, challenge),
    ]);
  }
  return products;
}

/** Returns base + base² + … + base^count modulo l, for a count that is a power of two. */
export function sumOfPowers(base: bigint, count: number): bigint {
  let sum = base;
  let power = base;
  for (let n = 1; n < count; n *= 2) {
    sum = Fn.add(sum, Fn.mul(sum, power));
    power = Fn.sqr(power);
  }
  return sum;
}
