/**
 * Multiplication and squaring modulo p = 2^255 - 19 of two elements at a time, in the two lanes of 128-bit vectors.
 *
 * Representation: twelve limbs, each a multiple of 2^P for its place P = 0, 22, 43, 64, 85, 107, … (21.25·i rounded up) as a
 * double, value = their sum. Doubles multiply and add exactly as long as no bit is below a place and none 53 bits above it, and
 * a vector unit multiplies two of them in one step, while WebAssembly has no such step for integers. "Units" measure how
 * far additions have let limbs grow, as in field-multiply.ts: an element of u units has |limb| <= u·2^(Q-1), where
 * Q is the next place, give or take 2^-5 of that in limbs 1 and 7. Results here have one unit.
 *
 * Column i + j collects the products of limbs i and j, whose places add up to that of limb i + j, or to one more. Column 12 + k counts
 * 19·2^-255 in limb k. In limb 0, where most is folded, this adds up to less than 249·2^41·ua·ub for factors of ua and ub
 * units: exact while ua·ub <= 16.
 *
 * V8 moves loads to the front up to the store before them, and sixteen registers are soon full. So columns go through memory: each
 * is stored as soon as it is known, and six limbs of one factor stay in registers while the other one passes by.
 */

import { FOLD, MAGIC } from './pair-limbs.ts';

/** Columns of a product, 23 pairs. */
const COLUMNS: usize = memory.data(368, 16);

/** a·b @inline */
function times(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

/** sum + a·b @inline */
function addProduct(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

/** @inline */
function column(k: usize): v128 {
  return v128.load(COLUMNS + 16 * k);
}

/** @inline */
function setColumn(k: usize, value: v128): void {
  v128.store(COLUMNS + 16 * k, value);
}

/** Sets columns 0 to 16 to the products of the first six limbs of a with those of b. */
function multiplyLow(a: usize, b: usize): void {
  const a0 = v128.load(a, 0);
  const a1 = v128.load(a, 16);
  const a2 = v128.load(a, 32);
  const a3 = v128.load(a, 48);
  const a4 = v128.load(a, 64);
  const a5 = v128.load(a, 80);
  let t: v128;
  const b0 = v128.load(b, 0);
  t = times(a0, b0);
  setColumn(0, t);
  const b1 = v128.load(b, 16);
  t = times(a0, b1);
  t = addProduct(t, a1, b0);
  setColumn(1, t);
  const b2 = v128.load(b, 32);
  t = times(a0, b2);
  t = addProduct(t, a1, b1);
  t = addProduct(t, a2, b0);
  setColumn(2, t);
  const b3 = v128.load(b, 48);
  t = times(a0, b3);
  t = addProduct(t, a1, b2);
  t = addProduct(t, a2, b1);
  t = addProduct(t, a3, b0);
  setColumn(3, t);
  const b4 = v128.load(b, 64);
  t = times(a0, b4);
  t = addProduct(t, a1, b3);
  t = addProduct(t, a2, b2);
  t = addProduct(t, a3, b1);
  t = addProduct(t, a4, b0);
  setColumn(4, t);
  const b5 = v128.load(b, 80);
  t = times(a0, b5);
  t = addProduct(t, a1, b4);
  t = addProduct(t, a2, b3);
  t = addProduct(t, a3, b2);
  t = addProduct(t, a4, b1);
  t = addProduct(t, a5, b0);
  setColumn(5, t);
  const b6 = v128.load(b, 96);
  t = times(a0, b6);
  t = addProduct(t, a1, b5);
  t = addProduct(t, a2, b4);
  t = addProduct(t, a3, b3);
  t = addProduct(t, a4, b2);
  t = addProduct(t, a5, b1);
  setColumn(6, t);
  const b7 = v128.load(b, 112);
  t = times(a0, b7);
  t = addProduct(t, a1, b6);
  t = addProduct(t, a2, b5);
  t = addProduct(t, a3, b4);
  t = addProduct(t, a4, b3);
  t = addProduct(t, a5, b2);
  setColumn(7, t);
  const b8 = v128.load(b, 128);
  t = times(a0, b8);
  t = addProduct(t, a1, b7);
  t = addProduct(t, a2, b6);
  t = addProduct(t, a3, b5);
  t = addProduct(t, a4, b4);
  t = addProduct(t, a5, b3);
  setColumn(8, t);
  const b9 = v128.load(b, 144);
  t = times(a0, b9);
  t = addProduct(t, a1, b8);
  t = addProduct(t, a2, b7);
  t = addProduct(t, a3, b6);
  t = addProduct(t, a4, b5);
  t = addProduct(t, a5, b4);
  setColumn(9, t);
  const b10 = v128.load(b, 160);
  t = times(a0, b10);
  t = addProduct(t, a1, b9);
  t = addProduct(t, a2, b8);
  t = addProduct(t, a3, b7);
  t = addProduct(t, a4, b6);
  t = addProduct(t, a5, b5);
  setColumn(10, t);
  const b11 = v128.load(b, 176);
  t = times(a0, b11);
  t = addProduct(t, a1, b10);
  t = addProduct(t, a2, b9);
  t = addProduct(t, a3, b8);
  t = addProduct(t, a4, b7);
  t = addProduct(t, a5, b6);
  setColumn(11, t);
  t = times(a1, b11);
  t = addProduct(t, a2, b10);
  t = addProduct(t, a3, b9);
  t = addProduct(t, a4, b8);
  t = addProduct(t, a5, b7);
  setColumn(12, t);
  t = times(a2, b11);
  t = addProduct(t, a3, b10);
  t = addProduct(t, a4, b9);
  t = addProduct(t, a5, b8);
  setColumn(13, t);
  t = times(a3, b11);
  t = addProduct(t, a4, b10);
  t = addProduct(t, a5, b9);
  setColumn(14, t);
  t = times(a4, b11);
  t = addProduct(t, a5, b10);
  setColumn(15, t);
  t = times(a5, b11);
  setColumn(16, t);
}

/** Adds to columns 6 to 22 the products of six limbs with those of b; nothing is in columns 17 to 22 before. */
function multiplyHigh(a: usize, b: usize): void {
  const a0 = v128.load(a, 0);
  const a1 = v128.load(a, 16);
  const a2 = v128.load(a, 32);
  const a3 = v128.load(a, 48);
  const a4 = v128.load(a, 64);
  const a5 = v128.load(a, 80);
  let t: v128;
  const b0 = v128.load(b, 0);
  t = addProduct(column(6), a0, b0);
  setColumn(6, t);
  const b1 = v128.load(b, 16);
  t = addProduct(column(7), a0, b1);
  t = addProduct(t, a1, b0);
  setColumn(7, t);
  const b2 = v128.load(b, 32);
  t = addProduct(column(8), a0, b2);
  t = addProduct(t, a1, b1);
  t = addProduct(t, a2, b0);
  setColumn(8, t);
  const b3 = v128.load(b, 48);
  t = addProduct(column(9), a0, b3);
  t = addProduct(t, a1, b2);
  t = addProduct(t, a2, b1);
  t = addProduct(t, a3, b0);
  setColumn(9, t);
  const b4 = v128.load(b, 64);
  t = addProduct(column(10), a0, b4);
  t = addProduct(t, a1, b3);
  t = addProduct(t, a2, b2);
  t = addProduct(t, a3, b1);
  t = addProduct(t, a4, b0);
  setColumn(10, t);
  const b5 = v128.load(b, 80);
  t = addProduct(column(11), a0, b5);
  t = addProduct(t, a1, b4);
  t = addProduct(t, a2, b3);
  t = addProduct(t, a3, b2);
  t = addProduct(t, a4, b1);
  t = addProduct(t, a5, b0);
  setColumn(11, t);
  const b6 = v128.load(b, 96);
  t = addProduct(column(12), a0, b6);
  t = addProduct(t, a1, b5);
  t = addProduct(t, a2, b4);
  t = addProduct(t, a3, b3);
  t = addProduct(t, a4, b2);
  t = addProduct(t, a5, b1);
  setColumn(12, t);
  const b7 = v128.load(b, 112);
  t = addProduct(column(13), a0, b7);
  t = addProduct(t, a1, b6);
  t = addProduct(t, a2, b5);
  t = addProduct(t, a3, b4);
  t = addProduct(t, a4, b3);
  t = addProduct(t, a5, b2);
  setColumn(13, t);
  const b8 = v128.load(b, 128);
  t = addProduct(column(14), a0, b8);
  t = addProduct(t, a1, b7);
  t = addProduct(t, a2, b6);
  t = addProduct(t, a3, b5);
  t = addProduct(t, a4, b4);
  t = addProduct(t, a5, b3);
  setColumn(14, t);
  const b9 = v128.load(b, 144);
  t = addProduct(column(15), a0, b9);
  t = addProduct(t, a1, b8);
  t = addProduct(t, a2, b7);
  t = addProduct(t, a3, b6);
  t = addProduct(t, a4, b5);
  t = addProduct(t, a5, b4);
  setColumn(15, t);
  const b10 = v128.load(b, 160);
  t = addProduct(column(16), a0, b10);
  t = addProduct(t, a1, b9);
  t = addProduct(t, a2, b8);
  t = addProduct(t, a3, b7);
  t = addProduct(t, a4, b6);
  t = addProduct(t, a5, b5);
  setColumn(16, t);
  const b11 = v128.load(b, 176);
  t = times(a0, b11);
  t = addProduct(t, a1, b10);
  t = addProduct(t, a2, b9);
  t = addProduct(t, a3, b8);
  t = addProduct(t, a4, b7);
  t = addProduct(t, a5, b6);
  setColumn(17, t);
  t = times(a1, b11);
  t = addProduct(t, a2, b10);
  t = addProduct(t, a3, b9);
  t = addProduct(t, a4, b8);
  t = addProduct(t, a5, b7);
  setColumn(18, t);
  t = times(a2, b11);
  t = addProduct(t, a3, b10);
  t = addProduct(t, a4, b9);
  t = addProduct(t, a5, b8);
  setColumn(19, t);
  t = times(a3, b11);
  t = addProduct(t, a4, b10);
  t = addProduct(t, a5, b9);
  setColumn(20, t);
  t = times(a4, b11);
  t = addProduct(t, a5, b10);
  setColumn(21, t);
  t = times(a5, b11);
  setColumn(22, t);
}

/** The part of a limb that belongs to the next one: adding the constant rounds to that one's lowest bit. @inline */
function excess(limb: v128, k: usize): v128 {
  const magic = v128.load(MAGIC + 16 * k);
  return f64x2.sub(f64x2.add(limb, magic), magic);
}

/** Limb k of the product before carries, for k up to 10. @inline */
function folded(k: usize): v128 {
  return addProduct(column(k), column(k + 12), v128.load(FOLD));
}

/** Writes the columns as twelve limbs. Two carries run at the same time, from limb 0 and from limb 6, so that neither waits. */
function carryColumns(out: usize): void {
  let low = folded(0);
  let high = folded(6);
  let r = excess(low, 0);
  let q = excess(high, 6);
  const limb0 = f64x2.sub(low, r);
  const limb6 = f64x2.sub(high, q);
  low = f64x2.add(folded(1), r);
  high = f64x2.add(folded(7), q);
  r = excess(low, 1);
  q = excess(high, 7);
  const limb1 = f64x2.sub(low, r);
  const limb7 = f64x2.sub(high, q);
  low = f64x2.add(folded(2), r);
  high = f64x2.add(folded(8), q);
  r = excess(low, 2);
  q = excess(high, 8);
  v128.store(out, f64x2.sub(low, r), 32);
  v128.store(out, f64x2.sub(high, q), 128);
  low = f64x2.add(folded(3), r);
  high = f64x2.add(folded(9), q);
  r = excess(low, 3);
  q = excess(high, 9);
  v128.store(out, f64x2.sub(low, r), 48);
  v128.store(out, f64x2.sub(high, q), 144);
  low = f64x2.add(folded(4), r);
  high = f64x2.add(folded(10), q);
  r = excess(low, 4);
  q = excess(high, 10);
  v128.store(out, f64x2.sub(low, r), 64);
  v128.store(out, f64x2.sub(high, q), 160);
  low = f64x2.add(folded(5), r);
  high = f64x2.add(column(11), q);
  r = excess(low, 5);
  q = excess(high, 11);
  v128.store(out, f64x2.sub(low, r), 80);
  v128.store(out, f64x2.sub(high, q), 176);
  low = addProduct(limb0, q, v128.load(FOLD));
  high = f64x2.add(limb6, r);
  r = excess(low, 0);
  q = excess(high, 6);
  v128.store(out, f64x2.sub(low, r));
  v128.store(out, f64x2.add(limb1, r), 16);
  v128.store(out, f64x2.sub(high, q), 96);
  v128.store(out, f64x2.add(limb7, q), 112);
}

/** r = a·b. */
export function multiplyPairs(r: usize, a: usize, b: usize): void {
  multiplyLow(a, b);
  multiplyHigh(a + 96, b);
  carryColumns(r);
}
