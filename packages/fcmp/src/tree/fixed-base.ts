import { mod } from '@noble/curves/abstract/modular.js';
import { invertAll } from '../curves/fields.ts';
import type { Generators } from '../curves/generators.ts';
import type { CycleCurve, CyclePoint } from '../curves/helios-selene.ts';

// Sums of multiples of the generators, which never change: Pippenger's buckets, with the multiples 2^(4j)·G_i made once, so that
// nothing is doubled afterwards. Points are added in affine form, many at a time with one inversion.

/** Bits between two multiples of a table. */
const STEP = 4;
/** Multiples of one generator. A scalar has 255 bits, so the top digit, with its carry, is at most half of a window. */
const MULTIPLES = 64;
/** Up to so many scalars, more and smaller windows cost fewer additions. */
const FEW = 7;

/** Affine coordinates; undefined is the identity. */
type Affine = { readonly x: bigint; readonly y: bigint } | undefined;

/** Tables of the multiples of one curve's generators, each made when its generator is first used. */
export class FixedBase {
  readonly #generators: Pick<Generators, 'G' | 'curve'>;
  readonly #curve: CycleCurve;
  readonly #multiples: Affine[][] = [];

  constructor(generators: Pick<Generators, 'G' | 'curve'>) {
    this.#generators = generators;
    this.#curve = generators.curve;
  }

  /** Returns Σ scalars[k]·G_(first+k). Scalars are not negative and below the order. */
  sum(first: number, scalars: readonly bigint[]): CyclePoint {
    const { Point } = this.#curve;
    this.#makeTables(first + scalars.length);
    const digitBits = scalars.length > FEW ? 2 * STEP : STEP;
    const buckets: Affine[][] = Array.from({ length: 1 << (digitBits - 1) }, () => []);
    for (const [k, scalar] of scalars.entries()) {
      this.#intoBuckets(buckets, this.#multiples[first + k] as Affine[], scalar, digitBits);
    }
    // Σ k·B_k, by adding every B_k once into each of k sums.
    let running = Point.ZERO;
    let total = Point.ZERO;
    for (const bucket of this.#sums(buckets).reverse()) {
      if (bucket !== undefined) running = running.add(Point.fromAffine(bucket));
      total = total.add(running);
    }
    return total;
  }

  /** Digits of a scalar go from 1 - 2^(bits-1) to 2^(bits-1); that of bucket k has the magnitude k + 1. */
  #intoBuckets(buckets: Affine[][], multiples: Affine[], scalar: bigint, bits: number): void {
    const base = 1 << bits;
    const mask = BigInt(base - 1);
    const stride = bits / STEP;
    let rest = scalar;
    let carry = 0;
    for (let j = 0; rest > 0n || carry > 0; j += stride) {
      const digit = Number(rest & mask) + carry;
      rest >>= BigInt(bits);
      carry = digit > base / 2 ? 1 : 0;
      const signed = digit - carry * base;
      const point = multiples[j];
      if (signed > 0) (buckets[signed - 1] as Affine[]).push(point);
      else if (signed < 0) (buckets[-signed - 1] as Affine[]).push(this.#negated(point));
    }
  }

  #negated(point: Affine): Affine {
    return point === undefined ? undefined : { x: point.x, y: this.#curve.field - point.y };
  }

  /** Returns the sum of each list: in every round, half of the additions that are left. */
  #sums(lists: Affine[][]): Affine[] {
    while (lists.some(({ length }) => length > 1)) {
      const left = lists.flatMap((list) =>
        list.filter((_, i) => i % 2 === 0 && i + 1 < list.length),
      );
      const right = lists.flatMap((list) => list.filter((_, i) => i % 2 === 1));
      const sums = this.#addAll(left, right);
      let at = 0;
      lists = lists.map((list) => {
        const pairs = list.length >> 1;
        const halved = sums.slice(at, at + pairs);
        at += pairs;
        if (list.length % 2 === 1) halved.push(list.at(-1));
        return halved;
      });
    }
    return lists.map(([sum]) => sum);
  }

  /** Returns left[i] + right[i] for all of them. Also right for equal points, for opposite ones and the identity. */
  #addAll(left: readonly Affine[], right: readonly Affine[]): Affine[] {
    const { field, a } = this.#curve;
    const slopes = left.map((P, i) => {
      const Q = right[i];
      if (P === undefined || Q === undefined) return undefined;
      if (P.x !== Q.x) return { top: Q.y - P.y, bottom: Q.x - P.x };
      return P.y === Q.y ? { top: 3n * P.x * P.x + a, bottom: 2n * P.y } : undefined;
    });
    const inverses = invertAll(
      slopes.map((slope) => slope?.bottom ?? 1n),
      field,
    );
    return slopes.map((slope, i) => {
      const [P, Q] = [left[i], right[i]];
      if (P === undefined || Q === undefined) return P ?? Q;
      if (slope === undefined) return undefined;
      const lambda = mod(slope.top * (inverses[i] as bigint), field);
      const x = mod(lambda * lambda - P.x - Q.x, field);
      return { x, y: mod(lambda * (P.x - x) - P.y, field) };
    });
  }

  #makeTables(count: number): void {
    const known = this.#multiples.length;
    if (known >= count) return;
    let points: Affine[] = this.#generators
      .G(count)
      .slice(known)
      .map((point) => point.toAffine());
    const tables = points.map((point) => [point]);
    for (let j = 1; j < MULTIPLES; j++) {
      for (let bit = 0; bit < STEP; bit++) points = this.#addAll(points, points);
      for (const [i, table] of tables.entries()) table.push(points[i]);
    }
    this.#multiples.push(...tables);
  }
}
