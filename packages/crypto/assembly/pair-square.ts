/** Squaring of two elements at a time; see pair-multiply.ts. Its fewer products are faster without columns in memory. */

import { FOLD, MAGIC } from './pair-limbs.ts';

/** @inline */
function plus(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

/** @inline */
function minus(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}

/** @inline */
function times(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

/** sum + a·b @inline */
function addProduct(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

/** a·b + c·d + e·f @inline */
function dot3(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return addProduct(addProduct(times(a, b), c, d), e, f);
}

/** a·b + c·d + e·f + g·h @inline */
// prettier-ignore
function dot4(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128): v128 {
  return addProduct(dot3(a, b, c, d, e, f), g, h);
}

/** The part of a limb that belongs to the next one; adding the constant at `place` rounds to its lowest bit. @inline */
function round(limb: v128, place: usize): v128 {
  const magic = v128.load(MAGIC + place);
  return minus(plus(limb, magic), magic);
}

/** Writes a² to `out`. The argument may have up to four units. */
export function squarePairs(out: usize, a: usize): void {
  const fold = v128.load(FOLD);
  const a0 = v128.load(a, 0);
  const a1 = v128.load(a, 16);
  const a2 = v128.load(a, 32);
  const a3 = v128.load(a, 48);
  const a4 = v128.load(a, 64);
  const a5 = v128.load(a, 80);
  const a6 = v128.load(a, 96);
  const a7 = v128.load(a, 112);
  const a8 = v128.load(a, 128);
  const a9 = v128.load(a, 144);
  const a10 = v128.load(a, 160);
  const a11 = v128.load(a, 176);
  const d0 = plus(a0, a0);
  const d1 = plus(a1, a1);
  const d2 = plus(a2, a2);
  const d3 = plus(a3, a3);
  const d4 = plus(a4, a4);
  const d5 = plus(a5, a5);
  const d6 = plus(a6, a6);
  const d7 = plus(a7, a7);
  const d8 = plus(a8, a8);
  const d9 = plus(a9, a9);
  const d10 = plus(a10, a10);
  const c6 = times(a6, fold);
  const c7 = times(a7, fold);
  const c8 = times(a8, fold);
  const c9 = times(a9, fold);
  const c10 = times(a10, fold);
  const c11 = times(a11, fold);
  let t0 = plus(dot4(a0, a0, d1, c11, d2, c10, d3, c9), dot3(d4, c8, d5, c7, a6, c6));
  let t1 = plus(dot3(d0, a1, d2, c11, d3, c10), dot3(d4, c9, d5, c8, d6, c7));
  let t2 = plus(dot4(d0, a2, a1, a1, d3, c11, d4, c10), dot3(d5, c9, d6, c8, a7, c7));
  let t3 = plus(dot3(d0, a3, d1, a2, d4, c11), dot3(d5, c10, d6, c9, d7, c8));
  let t4 = plus(dot4(d0, a4, d1, a3, a2, a2, d5, c11), dot3(d6, c10, d7, c9, a8, c8));
  let t5 = plus(dot3(d0, a5, d1, a4, d2, a3), dot3(d6, c11, d7, c10, d8, c9));
  let t6 = plus(dot4(d0, a6, d1, a5, d2, a4, a3, a3), dot3(d7, c11, d8, c10, a9, c9));
  let t7 = plus(dot3(d0, a7, d1, a6, d2, a5), dot3(d3, a4, d8, c11, d9, c10));
  let t8 = plus(dot4(d0, a8, d1, a7, d2, a6, d3, a5), dot3(a4, a4, d9, c11, a10, c10));
  let t9 = plus(dot3(d0, a9, d1, a8, d2, a7), dot3(d3, a6, d4, a5, d10, c11));
  let t10 = plus(dot4(d0, a10, d1, a9, d2, a8, d3, a7), dot3(d4, a6, a5, a5, a11, c11));
  let t11 = plus(dot3(d0, a11, d1, a10, d2, a9), dot3(d3, a8, d4, a7, d5, a6));
  let r = round(t0, 0);
  t0 = minus(t0, r);
  t1 = plus(t1, r);
  r = round(t6, 96);
  t6 = minus(t6, r);
  t7 = plus(t7, r);
  r = round(t1, 16);
  t1 = minus(t1, r);
  t2 = plus(t2, r);
  r = round(t7, 112);
  t7 = minus(t7, r);
  t8 = plus(t8, r);
  r = round(t2, 32);
  t2 = minus(t2, r);
  t3 = plus(t3, r);
  r = round(t8, 128);
  t8 = minus(t8, r);
  t9 = plus(t9, r);
  r = round(t3, 48);
  t3 = minus(t3, r);
  t4 = plus(t4, r);
  r = round(t9, 144);
  t9 = minus(t9, r);
  t10 = plus(t10, r);
  r = round(t4, 64);
  t4 = minus(t4, r);
  t5 = plus(t5, r);
  r = round(t10, 160);
  t10 = minus(t10, r);
  t11 = plus(t11, r);
  r = round(t5, 80);
  t5 = minus(t5, r);
  t6 = plus(t6, r);
  r = round(t11, 176);
  t11 = minus(t11, r);
  t0 = addProduct(t0, r, fold);
  r = round(t6, 96);
  t6 = minus(t6, r);
  t7 = plus(t7, r);
  r = round(t0, 0);
  t0 = minus(t0, r);
  t1 = plus(t1, r);
  v128.store(out, t0, 0);
  v128.store(out, t1, 16);
  v128.store(out, t2, 32);
  v128.store(out, t3, 48);
  v128.store(out, t4, 64);
  v128.store(out, t5, 80);
  v128.store(out, t6, 96);
  v128.store(out, t7, 112);
  v128.store(out, t8, 128);
  v128.store(out, t9, 144);
  v128.store(out, t10, 160);
  v128.store(out, t11, 176);
}
