import { mod } from '@noble/curves/abstract/modular.js';
import type { Affine } from '../curves/ed25519.ts';
import { invert } from '../curves/fields.ts';
import type { ShortWeierstrass } from '../curves/helios-selene.ts';

/**
 * Returns digits d_i with Σ d_i·2^i = scalar modulo the order and Σ d_i = bits, as a divisor needs one zero for each. Source:
 * `ScalarDecomposition` in monero-oxide, crypto/divisors/src/lib.rs.
 */
export function decompose(scalar: bigint, order: bigint, bits: number): number[] {
  const bitsOf = (value: bigint): number[] =>
    Array.from({ length: bits }, (_, i) => Number((value >> BigInt(i)) & 1n));
  let digits = bitsOf(scalar);
  if (scalar < BigInt(bits)) {
    const more = bitsOf(order - 1n);
    digits = digits.map((digit, i) => digit + (more[i] as number) + (i === 0 ? 1 : 0));
  }
  let sum = digits.reduce((total, digit) => total + digit, 0);
  const change = (i: number, by: number): void => {
    digits[i] = (digits[i] as number) + by;
  };
  for (; sum > bits; sum--) {
    const i = digits.findIndex((digit) => digit > 1);
    change(i, -2);
    change(i + 1, 1);
  }
  for (; sum < bits; sum++) {
    const i = digits.findLastIndex((digit, at) => at > 0 && digit > 0);
    change(i, -1);
    change(i - 1, 2);
  }
  return digits;
}

/** A point, or undefined for the identity. */
type Point = Affine | undefined;
/** Coefficients from that of x^0 on. */
type Polynomial = bigint[];
/** The function a(x) + y·b(x). */
export interface CurveFunction {
  readonly a: Polynomial;
  readonly b: Polynomial;
}

/** Arithmetic on a curve and of functions on it. */
class Functions {
  readonly #curve: ShortWeierstrass;

  constructor(curve: ShortWeierstrass) {
    this.#curve = curve;
  }

  #slope(P: Affine, Q: Affine): bigint {
    const { a, field } = this.#curve;
    return P.x === Q.x
      ? mod((3n * P.x * P.x + a) * invert(2n * P.y, field), field)
      : mod((Q.y - P.y) * invert(Q.x - P.x, field), field);
  }

  #areOpposite(P: Affine, Q: Affine): boolean {
    return P.x === Q.x && (P.y + Q.y) % this.#curve.field === 0n;
  }

  add(P: Point, Q: Point): Point {
    if (P === undefined || Q === undefined) return P ?? Q;
    if (this.#areOpposite(P, Q)) return undefined;
    const { field } = this.#curve;
    const slope = this.#slope(P, Q);
    const x = mod(slope * slope - P.x - Q.x, field);
    return { x, y: mod(slope * (P.x - x) - P.y, field) };
  }

  /** Returns the line through two points, which is zero at both and at minus their sum. */
  line(P: Point, Q: Point): CurveFunction {
    const { field } = this.#curve;
    const one = P ?? Q;
    if (one === undefined) return { a: [1n], b: [] };
    if (P === undefined || Q === undefined || this.#areOpposite(P, Q)) {
      return { a: [mod(-one.x, field), 1n], b: [] };
    }
    const slope = this.#slope(P, Q);
    return { a: [mod(slope * P.x - P.y, field), mod(-slope, field)], b: [1n] };
  }

  multiply(f: CurveFunction, g: CurveFunction): CurveFunction {
    const { a, b, field } = this.#curve;
    const times = (p: Polynomial, q: Polynomial): Polynomial => this.#product(p, q);
    const ySquare = times(times(f.b, g.b), [b, a, 0n, 1n]);
    const plus = (p: Polynomial, q: Polynomial): Polynomial =>
      Array.from(
        { length: Math.max(p.length, q.length) },
        (_, i) => ((p[i] ?? 0n) + (q[i] ?? 0n)) % field,
      );
    return { a: plus(times(f.a, g.a), ySquare), b: plus(times(f.a, g.b), times(f.b, g.a)) };
  }

  #product(p: Polynomial, q: Polynomial): Polynomial {
    if (p.length === 0 || q.length === 0) return [];
    const product = new Array<bigint>(p.length + q.length - 1).fill(0n);
    for (const [i, x] of p.entries()) {
      for (const [j, y] of q.entries()) product[i + j] = (product[i + j] as bigint) + x * y;
    }
    return product.map((coefficient) => coefficient % this.#curve.field);
  }

  /** Returns f/(x - root), which is exact. */
  divide({ a, b }: CurveFunction, root: bigint): CurveFunction {
    const { field } = this.#curve;
    const quotient = (p: Polynomial): Polynomial => {
      const result = new Array<bigint>(Math.max(0, p.length - 1));
      let carry = 0n;
      for (let i = p.length - 1; i > 0; i--) {
        carry = ((p[i] as bigint) + carry * root) % field;
        result[i - 1] = carry;
      }
      return result;
    };
    return { a: quotient(a), b: quotient(b) };
  }
}

/**
 * Returns the function with zeros exactly at points that add up to the identity, scaled so that the coefficient of x is 1.
 * Throws Error for other points. Source of the method: Eagen, 2022/596.
 */
export function divisorOf(curve: ShortWeierstrass, points: readonly Affine[]): CurveFunction {
  const functions = new Functions(curve);
  let parts: { f: CurveFunction; sum: Point }[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const [P, Q] = [points[i], points[i + 1]];
    parts.push({ f: functions.line(P, Q), sum: functions.add(P, Q) });
  }
  while (parts.length > 1) {
    const merged = parts.length % 2 === 1 ? [parts.pop() as (typeof parts)[0]] : [];
    for (let i = 0; i < parts.length; i += 2) {
      const [one, other] = [parts[i], parts[i + 1]] as [(typeof parts)[0], (typeof parts)[0]];
      const line = functions.line(one.sum, other.sum);
      let f = functions.multiply(functions.multiply(one.f, other.f), line);
      for (const { sum } of [one, other]) {
        if (sum !== undefined) f = functions.divide(f, sum.x);
      }
      merged.push({ f, sum: functions.add(one.sum, other.sum) });
    }
    parts = merged;
  }
  const [{ f, sum }] = parts as [(typeof parts)[0]];
  if (sum !== undefined) throw new Error('the points do not add up to the identity');
  const scale = invert(f.a[1] as bigint, curve.field);
  const scaled = (p: Polynomial): Polynomial => p.map((each) => mod(each * scale, curve.field));
  return { a: scaled(f.a), b: scaled(f.b) };
}
