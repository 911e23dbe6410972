/**
 * Points of the curve -x² + y² = 1 + d·x²y², d = -121665/121666, in the coordinates of Hisil, Wong, Carter and Dawson,
 * "Twisted Edwards Curves Revisited". The formulas hold for all points of the curve, the identity and points with
 * torsion included.
 *
 *  extended   X, Y, Z, T with x = X/Z, y = Y/Z, T = XY/Z          288 bytes
 *  projective X, Y, Z only, T unset; enough to double or encode    288 bytes
 *  cached     Y+X, Y-X, 2Z, 2dT: what is added often               288 bytes
 *  packed     (y+x)/2, (y-x)/2, dxy in i32 limbs: tables           108 bytes
 *
 * Doubling and adding end in four values E, F, G, H; `toProjective` makes a point of them with three products,
 * `toExtended` with four. Callers choose by what comes next: only an addition needs T.
 *
 * Units (see field-multiply.ts): coordinates have one, sums two; the largest product is E·F = 3·4 in a doubling.
 */

import { add, isZero, negate, setSmall, subtract } from './field.ts';
import { multiply, square } from './field-multiply.ts';
import { multiplyPacked } from './field-multiply-packed.ts';
import { invert } from './field-power.ts';
import { FIELD_SIZE, PACKED_SIZE } from './limbs.ts';

export const X: usize = 0;
export const Y: usize = FIELD_SIZE;
export const Z: usize = 2 * FIELD_SIZE;
export const T: usize = 3 * FIELD_SIZE;
export const POINT_SIZE: usize = 4 * FIELD_SIZE;

// Fields of a cached point.
const SUM: usize = 0;
const DIFFERENCE: usize = FIELD_SIZE;
const DOUBLE_Z: usize = 2 * FIELD_SIZE;
const SCALED_T: usize = 3 * FIELD_SIZE;

// Fields of a packed point.
export const PACKED_SUM: usize = 0;
export const PACKED_DIFFERENCE: usize = PACKED_SIZE;
export const PACKED_PRODUCT: usize = 2 * PACKED_SIZE;
export const PACKED_POINT_SIZE: usize = 3 * PACKED_SIZE;

/** The curve constant d, -121665/121666. */
export const CURVE_D: usize = memory.data(72, 16);
const TWO_D: usize = memory.data(72, 16);

/** Computes the curve constants. */
export function setUpCurve(): void {
  setSmall(A, 121666);
  invert(A, A);
  setSmall(B, -121665);
  multiply(CURVE_D, A, B);
  add(TWO_D, CURVE_D, CURVE_D);
}

const E: usize = memory.data(72, 16);
const F: usize = memory.data(72, 16);
const G: usize = memory.data(72, 16);
const H: usize = memory.data(72, 16);
const A: usize = memory.data(72, 16);
const B: usize = memory.data(72, 16);
const C: usize = memory.data(72, 16);
const D: usize = memory.data(72, 16);

/** Makes a projective point of the last doubling or addition. */
export function toProjective(r: usize): void {
  multiply(r + X, E, F);
  multiply(r + Y, G, H);
  multiply(r + Z, F, G);
}

/** Makes an extended point of the last doubling or addition. */
export function toExtended(r: usize): void {
  toProjective(r);
  multiply(r + T, E, H);
}

/** 2p, from X, Y and Z alone. All four values have their sign turned, which is the same point. */
export function double(p: usize): void {
  square(A, p + X);
  square(B, p + Y);
  square(C, p + Z);
  add(D, p + X, p + Y);
  square(D, D);
  add(H, B, A);
  subtract(G, B, A);
  subtract(E, D, H); // 2XY
  add(C, C, C);
  subtract(F, C, G);
}

/**
 * The common part of all additions, for A = (Y-X)(y-x), B = (Y+X)(y+x), C = 2dTt and z = 2Zz; a packed point halves
 * all four, which is the same point.
 * @inline
 */
function combine(plus: usize, minus: usize, z: usize): void {
  subtract(E, B, A);
  add(H, B, A);
  add(plus, z, C);
  subtract(minus, z, C);
}

/** p + q for a cached q. */
export function addCached(p: usize, q: usize): void {
  subtract(E, p + Y, p + X);
  add(H, p + Y, p + X);
  multiply(A, E, q + DIFFERENCE);
  multiply(B, H, q + SUM);
  multiply(C, p + T, q + SCALED_T);
  multiply(D, p + Z, q + DOUBLE_Z);
  combine(G, F, D);
}

/** p - q for a cached q. */
export function subtractCached(p: usize, q: usize): void {
  subtract(E, p + Y, p + X);
  add(H, p + Y, p + X);
  multiply(A, E, q + SUM);
  multiply(B, H, q + DIFFERENCE);
  multiply(C, p + T, q + SCALED_T);
  multiply(D, p + Z, q + DOUBLE_Z);
  combine(F, G, D);
}

/** p + q for a packed q. */
export function addPacked(p: usize, q: usize): void {
  subtract(E, p + Y, p + X);
  add(H, p + Y, p + X);
  multiplyPacked(A, E, q + PACKED_DIFFERENCE);
  multiplyPacked(B, H, q + PACKED_SUM);
  multiplyPacked(C, p + T, q + PACKED_PRODUCT);
  combine(G, F, p + Z);
}

/** p - q for a packed q. */
export function subtractPacked(p: usize, q: usize): void {
  subtract(E, p + Y, p + X);
  add(H, p + Y, p + X);
  multiplyPacked(A, E, q + PACKED_SUM);
  multiplyPacked(B, H, q + PACKED_DIFFERENCE);
  multiplyPacked(C, p + T, q + PACKED_PRODUCT);
  combine(F, G, p + Z);
}

/** r = the cached form of an extended point. */
export function toCached(r: usize, p: usize): void {
  add(r + SUM, p + Y, p + X);
  subtract(r + DIFFERENCE, p + Y, p + X);
  add(r + DOUBLE_Z, p + Z, p + Z);
  multiply(r + SCALED_T, p + T, TWO_D);
}

/** r = the identity, (0, 1). */
export function setIdentity(r: usize): void {
  memory.fill(r, 0, POINT_SIZE);
  setSmall(r + Y, 1);
  setSmall(r + Z, 1);
}

/** True if the point is the identity. A point with x = 0 has y = 1 or y = -1. */
export function isIdentity(p: usize): bool {
  if (!isZero(p + X)) return false;
  subtract(A, p + Y, p + Z);
  return isZero(A);
}

/** r = p. */
export function copyPoint(r: usize, p: usize): void {
  memory.copy(r, p, POINT_SIZE);
}

/** r = 8·p, extended. */
export function multiplyByCofactor(r: usize, p: usize): void {
  double(p);
  toProjective(r);
  double(r);
  toProjective(r);
  double(r);
  toExtended(r);
}

/** p = -p, extended. */
export function negatePoint(p: usize): void {
  negate(p + X, p + X);
  negate(p + T, p + T);
}

const OTHER: usize = memory.data(288, 16);

/** r = p + q, all extended. */
export function addPoints(r: usize, p: usize, q: usize): void {
  toCached(OTHER, q);
  addCached(p, OTHER);
  toExtended(r);
}
