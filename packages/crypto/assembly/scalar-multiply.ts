/**
 * Multiplication modulo the group order l = 2^252 + c, c = 27742317777372353535851937790883648493, on limbs of
 * 29 bits as in field-multiply.ts.
 */

import { isCanonical, subtractOrder } from './scalar-words.ts';

const MASK: i64 = (1 << 29) - 1;

// c in limbs of 29 bits. 2^252 = -c (mod l).
const C0: i64 = 0x1cf5d3ed;
const C1: i64 = 0x009318d2;
const C2: i64 = 0x1de73596;
const C3: i64 = 0x1df3bd45;
const C4: i64 = 0x14d;

// K = 2^9·c in limbs of 29 bits. 2^261 = -K (mod l), and 261 is where the tenth limb starts.
const K0: i64 = 0x0ba7da00;
const K1: i64 = 0x0631a5cf;
const K2: i64 = 0x0e6b2c09;
const K3: i64 = 0x077a8bde;
const K4: i64 = 0x29bdf;
/**
 * Stores the canonical scalar congruent to nine signed limbs of magnitude below 2^62 that make a value between -2^254
 * and 2^262. Folding at bit 252 leaves something between -2^135 and l; one addition of l makes it canonical.
 */
function finish(
  r: usize,
  t0: i64,
  t1: i64,
  t2: i64,
  t3: i64,
  t4: i64,
  t5: i64,
  t6: i64,
  t7: i64,
  t8: i64,
): void {
  t1 += t0 >> 29;
  t0 &= MASK;
  t2 += t1 >> 29;
  t1 &= MASK;
  t3 += t2 >> 29;
  t2 &= MASK;
  t4 += t3 >> 29;
  t3 &= MASK;
  t5 += t4 >> 29;
  t4 &= MASK;
  t6 += t5 >> 29;
  t5 &= MASK;
  t7 += t6 >> 29;
  t6 &= MASK;
  t8 += t7 >> 29;
  t7 &= MASK;
  const over = t8 >> 20; // 252 = 8·29 + 20
  t8 &= (1 << 20) - 1;
  t0 -= over * C0;
  t1 -= over * C1;
  t2 -= over * C2;
  t3 -= over * C3;
  t4 -= over * C4;
  t1 += t0 >> 29;
  t0 &= MASK;
  t2 += t1 >> 29;
  t1 &= MASK;
  t3 += t2 >> 29;
  t2 &= MASK;
  t4 += t3 >> 29;
  t3 &= MASK;
  t5 += t4 >> 29;
  t4 &= MASK;
  t6 += t5 >> 29;
  t5 &= MASK;
  t7 += t6 >> 29;
  t6 &= MASK;
  t8 += t7 >> 29;
  t7 &= MASK;
  if (t8 < 0) {
    t0 += C0;
    t1 += C1;
    t2 += C2;
    t3 += C3;
    t4 += C4;
    t8 += 1 << 20;
    t1 += t0 >> 29;
    t0 &= MASK;
    t2 += t1 >> 29;
    t1 &= MASK;
    t3 += t2 >> 29;
    t2 &= MASK;
    t4 += t3 >> 29;
    t3 &= MASK;
    t5 += t4 >> 29;
    t4 &= MASK;
    t6 += t5 >> 29;
    t5 &= MASK;
    t7 += t6 >> 29;
    t6 &= MASK;
    t8 += t7 >> 29;
    t7 &= MASK;
  }
  store<u64>(r, t0 | (t1 << 29) | (t2 << 58), 0);
  store<u64>(r, (t2 >> 6) | (t3 << 23) | (t4 << 52), 8);
  store<u64>(r, (t4 >> 12) | (t5 << 17) | (t6 << 46), 16);
  store<u64>(r, (t6 >> 18) | (t7 << 11) | (t8 << 40), 24);
  if (!isCanonical(r)) subtractOrder(r);
}

/** r = any 256-bit integer modulo l (upstream `sc_reduce32`). */
export function reduce(r: usize, a: usize): void {
  const aw0 = load<u64>(a, 0);
  const aw1 = load<u64>(a, 8);
  const aw2 = load<u64>(a, 16);
  const aw3 = load<u64>(a, 24);
  const a0 = <i64>(aw0 & MASK);
  const a1 = <i64>((aw0 >> 29) & MASK);
  const a2 = <i64>(((aw0 >> 58) | (aw1 << 6)) & MASK);
  const a3 = <i64>((aw1 >> 23) & MASK);
  const a4 = <i64>(((aw1 >> 52) | (aw2 << 12)) & MASK);
  const a5 = <i64>((aw2 >> 17) & MASK);
  const a6 = <i64>(((aw2 >> 46) | (aw3 << 18)) & MASK);
  const a7 = <i64>((aw3 >> 11) & MASK);
  const a8 = <i64>(aw3 >> 40);
  finish(r, a0, a1, a2, a3, a4, a5, a6, a7, a8);
}

/** r = a·b; the arguments may be any integers below 2^256. */
export function multiply(r: usize, a: usize, b: usize): void {
  const aw0 = load<u64>(a, 0);
  const aw1 = load<u64>(a, 8);
  const aw2 = load<u64>(a, 16);
  const aw3 = load<u64>(a, 24);
  const a0 = <i64>(aw0 & MASK);
  const a1 = <i64>((aw0 >> 29) & MASK);
  const a2 = <i64>(((aw0 >> 58) | (aw1 << 6)) & MASK);
  const a3 = <i64>((aw1 >> 23) & MASK);
  const a4 = <i64>(((aw1 >> 52) | (aw2 << 12)) & MASK);
  const a5 = <i64>((aw2 >> 17) & MASK);
  const a6 = <i64>(((aw2 >> 46) | (aw3 << 18)) & MASK);
  const a7 = <i64>((aw3 >> 11) & MASK);
  const a8 = <i64>(aw3 >> 40);
  const bw0 = load<u64>(b, 0);
  const bw1 = load<u64>(b, 8);
  const bw2 = load<u64>(b, 16);
  const bw3 = load<u64>(b, 24);
  const b0 = <i64>(bw0 & MASK);
  const b1 = <i64>((bw0 >> 29) & MASK);
  const b2 = <i64>(((bw0 >> 58) | (bw1 << 6)) & MASK);
  const b3 = <i64>((bw1 >> 23) & MASK);
  const b4 = <i64>(((bw1 >> 52) | (bw2 << 12)) & MASK);
  const b5 = <i64>((bw2 >> 17) & MASK);
  const b6 = <i64>(((bw2 >> 46) | (bw3 << 18)) & MASK);
  const b7 = <i64>((bw3 >> 11) & MASK);
  const b8 = <i64>(bw3 >> 40);
  // columns of the product
  let t0 = a0 * b0;
  let t1 = a0 * b1 + a1 * b0;
  let t2 = a0 * b2 + a1 * b1 + a2 * b0;
  let t3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0;
  let t4 = a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0;
  let t5 = a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0;
  let t6 = a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0;
  let t7 = a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0;
  let t8 = a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0;
  let t9 = a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1;
  let t10 = a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2;
  let t11 = a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3;
  let t12 = a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4;
  let t13 = a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5;
  let t14 = a6 * b8 + a7 * b7 + a8 * b6;
  let t15 = a7 * b8 + a8 * b7;
  let t16 = a8 * b8;
  let t17: i64 = 0;
  // carry, so that limbs are in [0, 2^29)
  t1 += t0 >> 29;
  t0 &= MASK;
  t2 += t1 >> 29;
  t1 &= MASK;
  t3 += t2 >> 29;
  t2 &= MASK;
  t4 += t3 >> 29;
  t3 &= MASK;
  t5 += t4 >> 29;
  t4 &= MASK;
  t6 += t5 >> 29;
  t5 &= MASK;
  t7 += t6 >> 29;
  t6 &= MASK;
  t8 += t7 >> 29;
  t7 &= MASK;
  t9 += t8 >> 29;
  t8 &= MASK;
  t10 += t9 >> 29;
  t9 &= MASK;
  t11 += t10 >> 29;
  t10 &= MASK;
  t12 += t11 >> 29;
  t11 &= MASK;
  t13 += t12 >> 29;
  t12 &= MASK;
  t14 += t13 >> 29;
  t13 &= MASK;
  t15 += t14 >> 29;
  t14 &= MASK;
  t16 += t15 >> 29;
  t15 &= MASK;
  t17 += t16 >> 29;
  t16 &= MASK;
  // limbs 9..17 down: 2^261 = -K
  t0 -= t9 * K0;
  t1 -= t9 * K1 + t10 * K0;
  t2 -= t9 * K2 + t10 * K1 + t11 * K0;
  t3 -= t9 * K3 + t10 * K2 + t11 * K1 + t12 * K0;
  t4 -= t9 * K4 + t10 * K3 + t11 * K2 + t12 * K1 + t13 * K0;
  t5 -= t10 * K4 + t11 * K3 + t12 * K2 + t13 * K1 + t14 * K0;
  t6 -= t11 * K4 + t12 * K3 + t13 * K2 + t14 * K1 + t15 * K0;
  t7 -= t12 * K4 + t13 * K3 + t14 * K2 + t15 * K1 + t16 * K0;
  t8 -= t13 * K4 + t14 * K3 + t15 * K2 + t16 * K1 + t17 * K0;
  let h9 = -(t14 * K4 + t15 * K3 + t16 * K2 + t17 * K1);
  let h10 = -(t15 * K4 + t16 * K3 + t17 * K2);
  let h11 = -(t16 * K4 + t17 * K3);
  let h12 = -(t17 * K4);
  let h13: i64 = 0;
  t1 += t0 >> 29;
  t0 &= MASK;
  t2 += t1 >> 29;
  t1 &= MASK;
  t3 += t2 >> 29;
  t2 &= MASK;
  t4 += t3 >> 29;
  t3 &= MASK;
  t5 += t4 >> 29;
  t4 &= MASK;
  t6 += t5 >> 29;
  t5 &= MASK;
  t7 += t6 >> 29;
  t6 &= MASK;
  t8 += t7 >> 29;
  t7 &= MASK;
  h9 += t8 >> 29;
  t8 &= MASK;
  h10 += h9 >> 29;
  h9 &= MASK;
  h11 += h10 >> 29;
  h10 &= MASK;
  h12 += h11 >> 29;
  h11 &= MASK;
  h13 += h12 >> 29;
  h12 &= MASK;
  // limbs 9..13 of that down once more; h13 holds the sign
  t0 -= h9 * K0;
  t1 -= h9 * K1 + h10 * K0;
  t2 -= h9 * K2 + h10 * K1 + h11 * K0;
  t3 -= h9 * K3 + h10 * K2 + h11 * K1 + h12 * K0;
  t4 -= h9 * K4 + h10 * K3 + h11 * K2 + h12 * K1 + h13 * K0;
  t5 -= h10 * K4 + h11 * K3 + h12 * K2 + h13 * K1;
  t6 -= h11 * K4 + h12 * K3 + h13 * K2;
  t7 -= h12 * K4 + h13 * K3;
  t8 -= h13 * K4;
  finish(r, t0, t1, t2, t3, t4, t5, t6, t7, t8);
}
