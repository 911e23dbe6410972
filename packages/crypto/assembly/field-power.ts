/** Powers, inverses and square roots modulo p = 2^255 - 19. */

import { add, copy, isZero, setSmall, squareTimes, subtract } from './field.ts';
import { multiply, square } from './field-multiply.ts';
import { FIELD_SIZE } from './limbs.ts';

const A: usize = memory.data(72, 16);
const B: usize = memory.data(72, 16);
const C: usize = memory.data(72, 16);

/**
 * r = z^((p-5)/8) = z^(2^252 - 3): 251 squarings and 11 products. The comments give exponents; r and z may be the same.
 */
function powPMinus5Over8(r: usize, z: usize): void {
  square(A, z); // 2
  squareTimes(B, A, 2); // 8
  multiply(B, z, B); // 9
  multiply(A, A, B); // 11
  square(A, A); // 22
  multiply(A, B, A); // 31 = 2^5 - 1
  squareTimes(B, A, 5);
  multiply(A, B, A); // 2^10 - 1
  squareTimes(B, A, 10);
  multiply(B, B, A); // 2^20 - 1
  squareTimes(C, B, 20);
  multiply(B, C, B); // 2^40 - 1
  squareTimes(B, B, 10);
  multiply(A, B, A); // 2^50 - 1
  squareTimes(B, A, 50);
  multiply(B, B, A); // 2^100 - 1
  squareTimes(C, B, 100);
  multiply(B, C, B); // 2^200 - 1
  squareTimes(B, B, 50);
  multiply(A, B, A); // 2^250 - 1
  squareTimes(A, A, 2); // 2^252 - 4
  multiply(r, A, z);
}

const D: usize = memory.data(72, 16);
const E: usize = memory.data(72, 16);

/** r = 1/z, and 0 for 0: z^(p-2) = (z^((p-5)/8))^8·z^3. One unit in z, which may be r. */
export function invert(r: usize, z: usize): void {
  powPMinus5Over8(D, z);
  squareTimes(D, D, 3);
  square(E, z);
  multiply(E, E, z);
  multiply(r, D, E);
}

/**
 * r = u·v³·(u·v⁷)^((p-5)/8), whose square is u/v times a fourth root of unity (upstream `fe_divpowm1`).
 * Up to three units in u and v; r differs from both.
 */
export function rootCandidate(r: usize, u: usize, v: usize): void {
  square(D, v);
  multiply(D, D, v); // v³
  square(E, D);
  multiply(E, E, v); // v⁷
  multiply(E, E, u);
  powPMinus5Over8(E, E);
  multiply(E, E, D);
  multiply(r, E, u);
}

/** √-1, the one that is 2^((p-1)/4). */
export const SQRT_MINUS_ONE: usize = memory.data(72, 16);

/** Computes √-1 from 2^((p-1)/4) = (2^((p-5)/8))²·2. */
export function setUpPowers(): void {
  setSmall(D, 2);
  powPMinus5Over8(E, D);
  square(E, E);
  multiply(SQRT_MINUS_ONE, E, D);
}

const ONE: usize = memory.data(72, 16);
const CHECK: usize = memory.data(72, 16);

/** r = a square root of x, for set-up only: traps if there is none. Up to three units in x, which differs from r. */
export function squareRoot(r: usize, x: usize): void {
  setSmall(ONE, 1);
  rootCandidate(r, x, ONE);
  square(CHECK, r);
  add(CHECK, CHECK, x);
  if (isZero(CHECK)) multiply(r, r, SQRT_MINUS_ONE);
  square(CHECK, r);
  subtract(CHECK, CHECK, x);
  if (!isZero(CHECK)) unreachable();
}

const RUNNING: usize = memory.data(72, 16);
const NEXT: usize = memory.data(72, 16);

/**
 * Inverts `count` elements that lie `stride` bytes apart, one unit each and none of them 0, with a single inversion
 * (Montgomery's trick). `products` is scratch of `count` elements.
 */
export function invertAll(first: usize, stride: usize, count: i32, products: usize): void {
  if (count == 0) return;
  copy(products, first);
  for (let i = 1; i < count; i++) {
    const at = products + <usize>i * FIELD_SIZE;
    multiply(at, at - FIELD_SIZE, first + <usize>i * stride);
  }
  invert(RUNNING, products + <usize>(count - 1) * FIELD_SIZE); // of the product of elements 0..i
  for (let i = count - 1; i > 0; i--) {
    const element = first + <usize>i * stride;
    multiply(NEXT, RUNNING, products + <usize>(i - 1) * FIELD_SIZE);
    multiply(RUNNING, RUNNING, element);
    copy(element, NEXT);
  }
  copy(first, RUNNING);
}
