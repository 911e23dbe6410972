/**
 * Points of y² = x³ - 3x + b. Sums are kept as x = X/ZZ and y = Y/ZZZ with ZZ³ = ZZZ² (Explicit-Formulas Database, "XYZZ coordinates"),
 * the identity as ZZ = 0, which no other point has.
 */

import { add, ELEMENT_SIZE, isZeroDifference, multiply, square, subtract } from './field.ts';

/** Bytes of a point x, y that is not the identity. */
export const AFFINE_SIZE: usize = 144;
/** Bytes of a sum X, Y, ZZ, ZZZ. */
export const SUM_SIZE: usize = 288;
const Y: usize = 72;
const ZZ: usize = 144;
const ZZZ: usize = 216;

const U: usize = memory.data(72);
const V: usize = memory.data(72);
const W: usize = memory.data(72);
const S: usize = memory.data(72);
const M: usize = memory.data(72);
const N: usize = memory.data(72);
const PP: usize = memory.data(72);
const PPP: usize = memory.data(72);
const ONE: usize = memory.data(72);
const ZERO: usize = memory.data(72);

/** Where one in Montgomery's form is, which depends on the prime. */
export function one(): usize {
  return ONE;
}

/** Whether a sum is the identity. */
export function isIdentity(p: usize): bool {
  for (let i: usize = 0; i < ELEMENT_SIZE; i += 8) {
    if (load<i64>(p + ZZ + i) != 0) return false;
  }
  return true;
}

/** p = 2p. No point has y = 0, as the order is odd. */
export function doublePoint(p: usize): void {
  if (isIdentity(p)) return;
  add(U, p + Y, p + Y);
  square(V, U);
  multiply(W, U, V);
  multiply(S, p, V);
  square(M, p);
  square(N, p + ZZ);
  subtract(M, M, N);
  add(N, M, M);
  add(M, M, N);
  square(p, M);
  subtract(p, p, S);
  subtract(p, p, S);
  subtract(S, S, p);
  multiply(S, S, M);
  multiply(N, W, p + Y);
  subtract(p + Y, S, N);
  multiply(p + ZZ, V, p + ZZ);
  multiply(p + ZZZ, W, p + ZZZ);
}

/** The common end of both additions: S and M are X and Y of p for the common denominators, U and W what q has more there. */
function finish(p: usize): void {
  square(PP, U);
  multiply(PPP, U, PP);
  multiply(S, S, PP);
  square(p, W);
  subtract(p, p, PPP);
  subtract(p, p, S);
  subtract(p, p, S);
  subtract(S, S, p);
  multiply(S, S, W);
  multiply(N, M, PPP);
  subtract(p + Y, S, N);
  multiply(p + ZZ, p + ZZ, PP);
  multiply(p + ZZZ, p + ZZZ, PPP);
}

/** What is left of an addition where the points have the same x: true if it was that. */
function addSameX(p: usize): bool {
  if (!isZeroDifference(U)) return false;
  if (isZeroDifference(W)) doublePoint(p);
  else memory.fill(p, 0, SUM_SIZE);
  return true;
}

/** p = p + q, or p - q, for a q that is not the identity; all cases. */
export function addAffine(p: usize, q: usize, negative: bool): void {
  let y = q + Y;
  if (negative) {
    subtract(N, ZERO, y);
    y = N;
  }
  if (isIdentity(p)) {
    memory.copy(p, q, ELEMENT_SIZE);
    memory.copy(p + Y, y, ELEMENT_SIZE);
    memory.copy(p + ZZ, ONE, ELEMENT_SIZE);
    memory.copy(p + ZZZ, ONE, ELEMENT_SIZE);
    return;
  }
  multiply(U, q, p + ZZ);
  subtract(U, U, p);
  multiply(W, y, p + ZZZ);
  subtract(W, W, p + Y);
  if (addSameX(p)) return;
  memory.copy(S, p, ELEMENT_SIZE);
  memory.copy(M, p + Y, ELEMENT_SIZE);
  finish(p);
}

/** p = p + q for sums; all cases. */
export function addSum(p: usize, q: usize): void {
  if (isIdentity(q)) return;
  if (isIdentity(p)) {
    memory.copy(p, q, SUM_SIZE);
    return;
  }
  multiply(S, p, q + ZZ);
  multiply(M, p + Y, q + ZZZ);
  multiply(U, q, p + ZZ);
  subtract(U, U, S);
  multiply(W, q + Y, p + ZZZ);
  subtract(W, W, M);
  if (addSameX(p)) return;
  multiply(p + ZZ, p + ZZ, q + ZZ);
  multiply(p + ZZZ, p + ZZZ, q + ZZZ);
  finish(p);
}
