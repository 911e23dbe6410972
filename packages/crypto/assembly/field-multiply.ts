/**
 * Multiplication and squaring modulo p = 2^255 - 19, the place where verification spends its time.
 *
 * Representation: nine signed limbs of 29 bits, value = sum of limb_i·2^(29i), each in an i64 because a
 * 32×32-bit product must fit in the only multiplication WebAssembly has. "Units" measure how far
 * additions have let limbs grow: an element of u units has |limb_i| <= u·2^28 and |limb_8| <= u·2^22, give
 * or take 2^16 in limbs 0 and 1. Results here have one unit. A column of a product sums at most
 * eight full products, so factors of ua and ub units need 8·ua·ub·2^56 < 2^63: ua·ub <= 15.
 *
 * Folding: column 9 + i stands for 2^(261 + 29i), and 2^261 = 64·2^255 = 64·19 (mod p). A column has up to
 * 63 bits, so it is first split at bit 32 into low + 2^32·high; the high part goes to the next column
 * times 2^(32-29) = 8.
 *
 * Loop-free and branch-free on purpose: V8 keeps most of this in registers. Inlining these functions into
 * the point formulas makes them slower, so they stay calls.
 */

import { HALF, HALF_TOP, LIMB_BITS, LIMB_MASK, TOP_BITS, TOP_MASK } from './limbs.ts';

/** 64·19: what a limb nine places up counts. */
const FOLD: i64 = 1216;

/**
 * r = a·b. One step of Karatsuba on four low and five high limbs: 65 products in place of 81, which pays
 * because the multiplier is what V8's code waits for. Sums inside may wrap modulo 2^64, the columns don't.
 */
export function multiply(r: usize, a: usize, b: usize): void {
  const a0 = load<i64>(a, 0);
  const a1 = load<i64>(a, 8);
  const a2 = load<i64>(a, 16);
  const a3 = load<i64>(a, 24);
  const a4 = load<i64>(a, 32);
  const a5 = load<i64>(a, 40);
  const a6 = load<i64>(a, 48);
  const a7 = load<i64>(a, 56);
  const a8 = load<i64>(a, 64);
  const b0 = load<i64>(b, 0);
  const b1 = load<i64>(b, 8);
  const b2 = load<i64>(b, 16);
  const b3 = load<i64>(b, 24);
  const b4 = load<i64>(b, 32);
  const b5 = load<i64>(b, 40);
  const b6 = load<i64>(b, 48);
  const b7 = load<i64>(b, 56);
  const b8 = load<i64>(b, 64);
  // low·low, columns 0..6
  const p0 = a0 * b0;
  const p1 = a0 * b1 + a1 * b0;
  const p2 = a0 * b2 + a1 * b1 + a2 * b0;
  const p3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0;
  const p4 = a1 * b3 + a2 * b2 + a3 * b1;
  const p5 = a2 * b3 + a3 * b2;
  const p6 = a3 * b3;
  // high·high, columns 8..16
  const q0 = a4 * b4;
  const q1 = a4 * b5 + a5 * b4;
  const q2 = a4 * b6 + a5 * b5 + a6 * b4;
  const q3 = a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4;
  const q4 = a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4;
  const q5 = a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5;
  const q6 = a6 * b8 + a7 * b7 + a8 * b6;
  const q7 = a7 * b8 + a8 * b7;
  const q8 = a8 * b8;
  // (low + high)·(low + high)
  const u0 = a0 + a4;
  const u1 = a1 + a5;
  const u2 = a2 + a6;
  const u3 = a3 + a7;
  const u4 = a8;
  const v0 = b0 + b4;
  const v1 = b1 + b5;
  const v2 = b2 + b6;
  const v3 = b3 + b7;
  const v4 = b8;
  const x0 = u0 * v0;
  const x1 = u0 * v1 + u1 * v0;
  const x2 = u0 * v2 + u1 * v1 + u2 * v0;
  const x3 = u0 * v3 + u1 * v2 + u2 * v1 + u3 * v0;
  const x4 = u0 * v4 + u1 * v3 + u2 * v2 + u3 * v1 + u4 * v0;
  const x5 = u1 * v4 + u2 * v3 + u3 * v2 + u4 * v1;
  const x6 = u2 * v4 + u3 * v3 + u4 * v2;
  const x7 = u3 * v4 + u4 * v3;
  // columns of the whole product
  let t0 = p0;
  let t1 = p1;
  let t2 = p2;
  let t3 = p3;
  let t4 = p4 + (x0 - p0 - q0);
  let t5 = p5 + (x1 - p1 - q1);
  let t6 = p6 + (x2 - p2 - q2);
  let t7 = x3 - p3 - q3;
  let t8 = q0 + (x4 - p4 - q4);
  const t9 = q1 + (x5 - p5 - q5);
  const t10 = q2 + (x6 - p6 - q6);
  const t11 = q3 + (x7 - q7);
  const t12 = q4; // both sums end in the same limb: nothing crosses here
  const t13 = q5;
  const t14 = q6;
  const t15 = q7;
  const t16 = q8;
  // Columns 9..16 fold down; see the head of this file.
  t0 += FOLD * <i64>(<u32>t9) + HALF;
  t1 += FOLD * (<i64>(<u32>t10) + ((t9 >> 32) << 3)) + HALF;
  t2 += FOLD * (<i64>(<u32>t11) + ((t10 >> 32) << 3)) + HALF;
  t3 += FOLD * (<i64>(<u32>t12) + ((t11 >> 32) << 3)) + HALF;
  t4 += FOLD * (<i64>(<u32>t13) + ((t12 >> 32) << 3)) + HALF;
  t5 += FOLD * (<i64>(<u32>t14) + ((t13 >> 32) << 3)) + HALF;
  t6 += FOLD * (<i64>(<u32>t15) + ((t14 >> 32) << 3)) + HALF;
  t7 += FOLD * (<i64>(<u32>t16) + ((t15 >> 32) << 3)) + HALF;
  t8 += FOLD * ((t16 >> 32) << 3) + HALF_TOP;
  // Carry upwards, each limb back to its signed range.
  t1 += t0 >> LIMB_BITS;
  t0 = (t0 & LIMB_MASK) - HALF;
  t2 += t1 >> LIMB_BITS;
  t1 = (t1 & LIMB_MASK) - HALF;
  t3 += t2 >> LIMB_BITS;
  t2 = (t2 & LIMB_MASK) - HALF;
  t4 += t3 >> LIMB_BITS;
  t3 = (t3 & LIMB_MASK) - HALF;
  t5 += t4 >> LIMB_BITS;
  t4 = (t4 & LIMB_MASK) - HALF;
  t6 += t5 >> LIMB_BITS;
  t5 = (t5 & LIMB_MASK) - HALF;
  t7 += t6 >> LIMB_BITS;
  t6 = (t6 & LIMB_MASK) - HALF;
  t8 += t7 >> LIMB_BITS;
  t7 = (t7 & LIMB_MASK) - HALF;
  t0 += 19 * (t8 >> TOP_BITS) + HALF;
  t8 = (t8 & TOP_MASK) - HALF_TOP;
  t1 += t0 >> LIMB_BITS;
  t0 = (t0 & LIMB_MASK) - HALF;
  store<i64>(r, t0, 0);
  store<i64>(r, t1, 8);
  store<i64>(r, t2, 16);
  store<i64>(r, t3, 24);
  store<i64>(r, t4, 32);
  store<i64>(r, t5, 40);
  store<i64>(r, t6, 48);
  store<i64>(r, t7, 56);
  store<i64>(r, t8, 64);
}

/** r = a². The argument may have up to three units. */
export function square(r: usize, a: usize): void {
  const a0 = load<i64>(a, 0);
  const a1 = load<i64>(a, 8);
  const a2 = load<i64>(a, 16);
  const a3 = load<i64>(a, 24);
  const a4 = load<i64>(a, 32);
  const a5 = load<i64>(a, 40);
  const a6 = load<i64>(a, 48);
  const a7 = load<i64>(a, 56);
  const a8 = load<i64>(a, 64);
  let t0 = a0 * a0;
  let t1 = (a0 * a1) << 1;
  let t2 = ((a0 * a2) << 1) + a1 * a1;
  let t3 = (a0 * a3 + a1 * a2) << 1;
  let t4 = ((a0 * a4 + a1 * a3) << 1) + a2 * a2;
  let t5 = (a0 * a5 + a1 * a4 + a2 * a3) << 1;
  let t6 = ((a0 * a6 + a1 * a5 + a2 * a4) << 1) + a3 * a3;
  let t7 = (a0 * a7 + a1 * a6 + a2 * a5 + a3 * a4) << 1;
  let t8 = ((a0 * a8 + a1 * a7 + a2 * a6 + a3 * a5) << 1) + a4 * a4;
  const t9 = (a1 * a8 + a2 * a7 + a3 * a6 + a4 * a5) << 1;
  const t10 = ((a2 * a8 + a3 * a7 + a4 * a6) << 1) + a5 * a5;
  const t11 = (a3 * a8 + a4 * a7 + a5 * a6) << 1;
  const t12 = ((a4 * a8 + a5 * a7) << 1) + a6 * a6;
  const t13 = (a5 * a8 + a6 * a7) << 1;
  const t14 = ((a6 * a8) << 1) + a7 * a7;
  const t15 = (a7 * a8) << 1;
  const t16 = a8 * a8;
  // Columns 9..16 fold down; see the head of this file.
  t0 += FOLD * <i64>(<u32>t9) + HALF;
  t1 += FOLD * (<i64>(<u32>t10) + ((t9 >> 32) << 3)) + HALF;
  t2 += FOLD * (<i64>(<u32>t11) + ((t10 >> 32) << 3)) + HALF;
  t3 += FOLD * (<i64>(<u32>t12) + ((t11 >> 32) << 3)) + HALF;
  t4 += FOLD * (<i64>(<u32>t13) + ((t12 >> 32) << 3)) + HALF;
  t5 += FOLD * (<i64>(<u32>t14) + ((t13 >> 32) << 3)) + HALF;
  t6 += FOLD * (<i64>(<u32>t15) + ((t14 >> 32) << 3)) + HALF;
  t7 += FOLD * (<i64>(<u32>t16) + ((t15 >> 32) << 3)) + HALF;
  t8 += FOLD * ((t16 >> 32) << 3) + HALF_TOP;
  // Carry upwards, each limb back to its signed range.
  t1 += t0 >> LIMB_BITS;
  t0 = (t0 & LIMB_MASK) - HALF;
  t2 += t1 >> LIMB_BITS;
  t1 = (t1 & LIMB_MASK) - HALF;
  t3 += t2 >> LIMB_BITS;
  t2 = (t2 & LIMB_MASK) - HALF;
  t4 += t3 >> LIMB_BITS;
  t3 = (t3 & LIMB_MASK) - HALF;
  t5 += t4 >> LIMB_BITS;
  t4 = (t4 & LIMB_MASK) - HALF;
  t6 += t5 >> LIMB_BITS;
  t5 = (t5 & LIMB_MASK) - HALF;
  t7 += t6 >> LIMB_BITS;
  t6 = (t6 & LIMB_MASK) - HALF;
  t8 += t7 >> LIMB_BITS;
  t7 = (t7 & LIMB_MASK) - HALF;
  t0 += 19 * (t8 >> TOP_BITS) + HALF;
  t8 = (t8 & TOP_MASK) - HALF_TOP;
  t1 += t0 >> LIMB_BITS;
  t0 = (t0 & LIMB_MASK) - HALF;
  store<i64>(r, t0, 0);
  store<i64>(r, t1, 8);
  store<i64>(r, t2, 16);
  store<i64>(r, t3, 24);
  store<i64>(r, t4, 32);
  store<i64>(r, t5, 40);
  store<i64>(r, t6, 48);
  store<i64>(r, t7, 56);
  store<i64>(r, t8, 64);
}
