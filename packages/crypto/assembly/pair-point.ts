/** Two points at a time, extended, projective or cached; formulas and names as in point.ts. */

import { addPairs, PAIR_SIZE, setSmallPair, subtractPairs } from './pair-limbs.ts';
import { multiplyPairs } from './pair-multiply.ts';
import { squarePairs } from './pair-square.ts';

export const PAIR_X: usize = 0;
export const PAIR_Y: usize = PAIR_SIZE;
export const PAIR_Z: usize = 2 * PAIR_SIZE;
export const PAIR_T: usize = 3 * PAIR_SIZE;
export const POINT_PAIR_SIZE: usize = 4 * PAIR_SIZE;

// Fields of cached points.
const SUM: usize = 0;
const DIFFERENCE: usize = PAIR_SIZE;
const DOUBLE_Z: usize = 2 * PAIR_SIZE;
const SCALED_T: usize = 3 * PAIR_SIZE;

const A: usize = memory.data(192, 16);
const B: usize = memory.data(192, 16);
const C: usize = memory.data(192, 16);
const D: usize = memory.data(192, 16);
const E: usize = memory.data(192, 16);
const F: usize = memory.data(192, 16);
const G: usize = memory.data(192, 16);
const H: usize = memory.data(192, 16);

/** Makes projective points of the last doubling or addition. */
export function toProjectivePair(r: usize): void {
  multiplyPairs(r + PAIR_X, E, F);
  multiplyPairs(r + PAIR_Y, G, H);
  multiplyPairs(r + PAIR_Z, F, G);
}

/** Makes extended points of the last doubling or addition. */
export function toExtendedPair(r: usize): void {
  toProjectivePair(r);
  multiplyPairs(r + PAIR_T, E, H);
}

/** 2p, from X, Y and Z alone. */
export function doublePair(p: usize): void {
  squarePairs(A, p + PAIR_X);
  squarePairs(B, p + PAIR_Y);
  squarePairs(C, p + PAIR_Z);
  addPairs(D, p + PAIR_X, p + PAIR_Y);
  squarePairs(D, D);
  // H = B + A, G = B - A, E = D - H = 2XY, F = 2C - G, with each limb loaded once.
  for (let i: usize = 0; i < PAIR_SIZE; i += 16) {
    const a = v128.load(A + i);
    const b = v128.load(B + i);
    const c = v128.load(C + i);
    const h = f64x2.add(b, a);
    const g = f64x2.sub(b, a);
    v128.store(H + i, h);
    v128.store(G + i, g);
    v128.store(E + i, f64x2.sub(v128.load(D + i), h));
    v128.store(F + i, f64x2.sub(f64x2.add(c, c), g));
  }
}

/** p + q for cached q, or p - q. */
export function addCachedPair(p: usize, q: usize, isNegative: bool): void {
  subtractPairs(E, p + PAIR_Y, p + PAIR_X);
  addPairs(H, p + PAIR_Y, p + PAIR_X);
  multiplyPairs(A, E, q + (isNegative ? SUM : DIFFERENCE));
  multiplyPairs(B, H, q + (isNegative ? DIFFERENCE : SUM));
  multiplyPairs(C, p + PAIR_T, q + SCALED_T);
  multiplyPairs(D, p + PAIR_Z, q + DOUBLE_Z);
  subtractPairs(E, B, A);
  addPairs(H, B, A);
  addPairs(isNegative ? F : G, D, C);
  subtractPairs(isNegative ? G : F, D, C);
}

/** r = the cached form of extended points; `twoD` is twice the curve's constant. */
export function toCachedPair(r: usize, p: usize, twoD: usize): void {
  addPairs(r + SUM, p + PAIR_Y, p + PAIR_X);
  subtractPairs(r + DIFFERENCE, p + PAIR_Y, p + PAIR_X);
  addPairs(r + DOUBLE_Z, p + PAIR_Z, p + PAIR_Z);
  multiplyPairs(r + SCALED_T, p + PAIR_T, twoD);
}

/** r = the identity in both lanes. */
export function setIdentityPair(r: usize): void {
  memory.fill(r, 0, POINT_PAIR_SIZE);
  setSmallPair(r + PAIR_Y, 1);
  setSmallPair(r + PAIR_Z, 1);
}
