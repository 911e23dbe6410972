/**
 * Arithmetic modulo either prime of the cycle, each of which is 2^255 - c with a c of at most 125 bits.
 *
 * An element is nine limbs of 29 bits, value = Σ limb_i·2^(29i), each in an i64, as a product of 32 bits must fit in the only
 * multiplication that WebAssembly has. Elements are in Montgomery's form, x·2^261 modulo the prime, below 2.1 times the prime.
 */

/** Bytes of an element. */
export const ELEMENT_SIZE: usize = 72;
const LIMBS: i32 = 9;
const LIMB_BITS: i64 = 29;
const LIMB_MASK: i64 = (1 << 29) - 1;
/** 255 = 8·29 + 23: bits of the prime in its highest limb. */
const TOP_BITS: i64 = 23;

/** The limbs of c. */
let c0: i64 = 0;
let c1: i64 = 0;
let c2: i64 = 0;
let c3: i64 = 0;
let c4: i64 = 0;
/** 1/c modulo 2^29: what makes a limb vanish, as the prime is -c there. */
let inverse: i64 = 0;

/** Takes the prime 2^255 - c for all that follows: the five limbs of c, and 1/c modulo 2^29. */
export function setPrime(l0: i32, l1: i32, l2: i32, l3: i32, l4: i32, inverseOfC: i32): void {
  c0 = l0;
  c1 = l1;
  c2 = l2;
  c3 = l3;
  c4 = l4;
  inverse = inverseOfC;
}

/**
 * r = a·b/2^261, by Montgomery's method, limb by limb: adding m·(2^255 - c) makes the lowest column vanish. Columns are signed: nine products and
 * nine times 2^52 above, five products below, so below 2^62 both ways.
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
  const t0 = a0 * b0;
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
  const m0 = (t0 * inverse) & LIMB_MASK;
  t1 += ((t0 - m0 * c0) >> LIMB_BITS) - m0 * c1;
  t2 -= m0 * c2;
  t3 -= m0 * c3;
  t4 -= m0 * c4;
  t8 += m0 << TOP_BITS;
  const m1 = (t1 * inverse) & LIMB_MASK;
  t2 += ((t1 - m1 * c0) >> LIMB_BITS) - m1 * c1;
  t3 -= m1 * c2;
  t4 -= m1 * c3;
  t5 -= m1 * c4;
  t9 += m1 << TOP_BITS;
  const m2 = (t2 * inverse) & LIMB_MASK;
  t3 += ((t2 - m2 * c0) >> LIMB_BITS) - m2 * c1;
  t4 -= m2 * c2;
  t5 -= m2 * c3;
  t6 -= m2 * c4;
  t10 += m2 << TOP_BITS;
  const m3 = (t3 * inverse) & LIMB_MASK;
  t4 += ((t3 - m3 * c0) >> LIMB_BITS) - m3 * c1;
  t5 -= m3 * c2;
  t6 -= m3 * c3;
  t7 -= m3 * c4;
  t11 += m3 << TOP_BITS;
  const m4 = (t4 * inverse) & LIMB_MASK;
  t5 += ((t4 - m4 * c0) >> LIMB_BITS) - m4 * c1;
  t6 -= m4 * c2;
  t7 -= m4 * c3;
  t8 -= m4 * c4;
  t12 += m4 << TOP_BITS;
  const m5 = (t5 * inverse) & LIMB_MASK;
  t6 += ((t5 - m5 * c0) >> LIMB_BITS) - m5 * c1;
  t7 -= m5 * c2;
  t8 -= m5 * c3;
  t9 -= m5 * c4;
  t13 += m5 << TOP_BITS;
  const m6 = (t6 * inverse) & LIMB_MASK;
  t7 += ((t6 - m6 * c0) >> LIMB_BITS) - m6 * c1;
  t8 -= m6 * c2;
  t9 -= m6 * c3;
  t10 -= m6 * c4;
  t14 += m6 << TOP_BITS;
  const m7 = (t7 * inverse) & LIMB_MASK;
  t8 += ((t7 - m7 * c0) >> LIMB_BITS) - m7 * c1;
  t9 -= m7 * c2;
  t10 -= m7 * c3;
  t11 -= m7 * c4;
  t15 += m7 << TOP_BITS;
  const m8 = (t8 * inverse) & LIMB_MASK;
  t9 += ((t8 - m8 * c0) >> LIMB_BITS) - m8 * c1;
  t10 -= m8 * c2;
  t11 -= m8 * c3;
  t12 -= m8 * c4;
  t16 += m8 << TOP_BITS;
  t10 += t9 >> LIMB_BITS;
  store<i64>(r, t9 & LIMB_MASK, 0);
  t11 += t10 >> LIMB_BITS;
  store<i64>(r, t10 & LIMB_MASK, 8);
  t12 += t11 >> LIMB_BITS;
  store<i64>(r, t11 & LIMB_MASK, 16);
  t13 += t12 >> LIMB_BITS;
  store<i64>(r, t12 & LIMB_MASK, 24);
  t14 += t13 >> LIMB_BITS;
  store<i64>(r, t13 & LIMB_MASK, 32);
  t15 += t14 >> LIMB_BITS;
  store<i64>(r, t14 & LIMB_MASK, 40);
  t16 += t15 >> LIMB_BITS;
  store<i64>(r, t15 & LIMB_MASK, 48);
  t17 += t16 >> LIMB_BITS;
  store<i64>(r, t16 & LIMB_MASK, 56);
  store<i64>(r, t17, 64);
}

/** r = a². */
export function square(r: usize, a: usize): void {
  multiply(r, a, a);
}

/** r = a + b. */
export function add(r: usize, a: usize, b: usize): void {
  const t0 = load<i64>(a, 0) + load<i64>(b, 0);
  const t1 = load<i64>(a, 8) + load<i64>(b, 8);
  const t2 = load<i64>(a, 16) + load<i64>(b, 16);
  const t3 = load<i64>(a, 24) + load<i64>(b, 24);
  const t4 = load<i64>(a, 32) + load<i64>(b, 32);
  const t5 = load<i64>(a, 40) + load<i64>(b, 40);
  const t6 = load<i64>(a, 48) + load<i64>(b, 48);
  const t7 = load<i64>(a, 56) + load<i64>(b, 56);
  const t8 = load<i64>(a, 64) + load<i64>(b, 64);
  settle(r, t0, t1, t2, t3, t4, t5, t6, t7, t8);
}

/** r = a - b. */
export function subtract(r: usize, a: usize, b: usize): void {
  const t0 = load<i64>(a, 0) - load<i64>(b, 0) - 4 * c0;
  const t1 = load<i64>(a, 8) - load<i64>(b, 8) - 4 * c1;
  const t2 = load<i64>(a, 16) - load<i64>(b, 16) - 4 * c2;
  const t3 = load<i64>(a, 24) - load<i64>(b, 24) - 4 * c3;
  const t4 = load<i64>(a, 32) - load<i64>(b, 32) - 4 * c4;
  const t5 = load<i64>(a, 40) - load<i64>(b, 40);
  const t6 = load<i64>(a, 48) - load<i64>(b, 48);
  const t7 = load<i64>(a, 56) - load<i64>(b, 56);
  const t8 = load<i64>(a, 64) - load<i64>(b, 64) + (4 << TOP_BITS);
  settle(r, t0, t1, t2, t3, t4, t5, t6, t7, t8);
}

/**
 * Stores limbs of any sign, less as many primes as leave one or two: what is taken away is estimated by the highest limb, to which carries add
 * less than 16.
 */
function settle(
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
  const times = (t8 >> TOP_BITS) - 1;
  t0 += times * c0;
  t1 += times * c1;
  t2 += times * c2;
  t3 += times * c3;
  t4 += times * c4;
  t1 += t0 >> LIMB_BITS;
  store<i64>(r, t0 & LIMB_MASK, 0);
  t2 += t1 >> LIMB_BITS;
  store<i64>(r, t1 & LIMB_MASK, 8);
  t3 += t2 >> LIMB_BITS;
  store<i64>(r, t2 & LIMB_MASK, 16);
  t4 += t3 >> LIMB_BITS;
  store<i64>(r, t3 & LIMB_MASK, 24);
  t5 += t4 >> LIMB_BITS;
  store<i64>(r, t4 & LIMB_MASK, 32);
  t6 += t5 >> LIMB_BITS;
  store<i64>(r, t5 & LIMB_MASK, 40);
  t7 += t6 >> LIMB_BITS;
  store<i64>(r, t6 & LIMB_MASK, 48);
  t8 += t7 >> LIMB_BITS;
  store<i64>(r, t7 & LIMB_MASK, 56);
  store<i64>(r, t8 - (times << TOP_BITS), 64);
}

/** Whether the result of `subtract` is zero modulo the prime: it is once or twice the prime then. */
export function isZeroDifference(a: usize): bool {
  // Limbs 5 to 7 of both multiples are ones.
  if (load<i64>(a, 48) != LIMB_MASK || load<i64>(a, 56) != LIMB_MASK) return false;
  return isMultiple(a, 1) || isMultiple(a, 2);
}

/** Whether an element is exactly `times` (0 to 2) the prime. */
function isMultiple(a: usize, times: i64): bool {
  let carry: i64 = 0;
  for (let i = 0; i < LIMBS; i++) {
    const limb = carry + (i < 5 ? -times * limbOfC(i) : i == 8 ? times << TOP_BITS : 0);
    if (load<i64>(a + ((<usize>i) << 3)) != (i == 8 ? limb : limb & LIMB_MASK)) return false;
    carry = limb >> LIMB_BITS;
  }
  return true;
}

function limbOfC(i: i32): i64 {
  if (i == 0) return c0;
  if (i == 1) return c1;
  if (i == 2) return c2;
  return i == 3 ? c3 : c4;
}

/** r = the 255 bits at `bytes`, little-endian, not in Montgomery's form. The eight bytes behind them are read too. */
export function unpack(r: usize, bytes: usize): void {
  for (let i = 0; i < LIMBS; i++) {
    const bit = 29 * i;
    const word = load<u64>(bytes + ((<usize>bit) >> 3)) >> ((<u64>bit) & 7);
    const limb = (<i64>word) & (i == 8 ? (1 << 23) - 1 : LIMB_MASK);
    store<i64>(r + ((<usize>i) << 3), limb);
  }
}
