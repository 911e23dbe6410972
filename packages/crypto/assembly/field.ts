/** Arithmetic modulo p = 2^255 - 19 apart from multiplication. Arguments are addresses of nine i64 limbs. */

import { square } from './field-multiply.ts';
import { FIELD_SIZE, HALF, HALF_TOP, LIMB_BITS, LIMB_MASK, TOP_BITS, TOP_MASK } from './limbs.ts';

/** r = a + b, without carry: units add up (field-multiply.ts says what units are). @inline */
export function add(r: usize, a: usize, b: usize): void {
  store<i64>(r, load<i64>(a, 0) + load<i64>(b, 0), 0);
  store<i64>(r, load<i64>(a, 8) + load<i64>(b, 8), 8);
  store<i64>(r, load<i64>(a, 16) + load<i64>(b, 16), 16);
  store<i64>(r, load<i64>(a, 24) + load<i64>(b, 24), 24);
  store<i64>(r, load<i64>(a, 32) + load<i64>(b, 32), 32);
  store<i64>(r, load<i64>(a, 40) + load<i64>(b, 40), 40);
  store<i64>(r, load<i64>(a, 48) + load<i64>(b, 48), 48);
  store<i64>(r, load<i64>(a, 56) + load<i64>(b, 56), 56);
  store<i64>(r, load<i64>(a, 64) + load<i64>(b, 64), 64);
}

/** r = a - b, without carry: units add up. @inline */
export function subtract(r: usize, a: usize, b: usize): void {
  store<i64>(r, load<i64>(a, 0) - load<i64>(b, 0), 0);
  store<i64>(r, load<i64>(a, 8) - load<i64>(b, 8), 8);
  store<i64>(r, load<i64>(a, 16) - load<i64>(b, 16), 16);
  store<i64>(r, load<i64>(a, 24) - load<i64>(b, 24), 24);
  store<i64>(r, load<i64>(a, 32) - load<i64>(b, 32), 32);
  store<i64>(r, load<i64>(a, 40) - load<i64>(b, 40), 40);
  store<i64>(r, load<i64>(a, 48) - load<i64>(b, 48), 48);
  store<i64>(r, load<i64>(a, 56) - load<i64>(b, 56), 56);
  store<i64>(r, load<i64>(a, 64) - load<i64>(b, 64), 64);
}

/** r = a with one unit; up to eight units. */
export function carry(r: usize, a: usize): void {
  const t0 = load<i64>(a, 0) + HALF;
  let t1 = load<i64>(a, 8) + HALF;
  let t2 = load<i64>(a, 16) + HALF;
  let t3 = load<i64>(a, 24) + HALF;
  let t4 = load<i64>(a, 32) + HALF;
  let t5 = load<i64>(a, 40) + HALF;
  let t6 = load<i64>(a, 48) + HALF;
  let t7 = load<i64>(a, 56) + HALF;
  let t8 = load<i64>(a, 64) + HALF_TOP;
  t1 += t0 >> LIMB_BITS;
  store<i64>(r, (t0 & LIMB_MASK) - HALF, 0);
  t2 += t1 >> LIMB_BITS;
  store<i64>(r, (t1 & LIMB_MASK) - HALF, 8);
  t3 += t2 >> LIMB_BITS;
  store<i64>(r, (t2 & LIMB_MASK) - HALF, 16);
  t4 += t3 >> LIMB_BITS;
  store<i64>(r, (t3 & LIMB_MASK) - HALF, 24);
  t5 += t4 >> LIMB_BITS;
  store<i64>(r, (t4 & LIMB_MASK) - HALF, 32);
  t6 += t5 >> LIMB_BITS;
  store<i64>(r, (t5 & LIMB_MASK) - HALF, 40);
  t7 += t6 >> LIMB_BITS;
  store<i64>(r, (t6 & LIMB_MASK) - HALF, 48);
  t8 += t7 >> LIMB_BITS;
  store<i64>(r, (t7 & LIMB_MASK) - HALF, 56);
  store<i64>(r, (t8 & TOP_MASK) - HALF_TOP, 64);
  store<i64>(r, load<i64>(r) + 19 * (t8 >> TOP_BITS));
}

/** r = -a. */
export function negate(r: usize, a: usize): void {
  for (let i: usize = 0; i < FIELD_SIZE; i += 8) store<i64>(r + i, -load<i64>(a + i));
}

/** r = a. */
export function copy(r: usize, a: usize): void {
  memory.copy(r, a, FIELD_SIZE);
}

/** r = a small integer, of magnitude below 2^28. */
export function setSmall(r: usize, value: i64): void {
  memory.fill(r, 0, FIELD_SIZE);
  store<i64>(r, value);
}

/** r = a^(2^times), times at least 1. */
export function squareTimes(r: usize, a: usize, times: i32): void {
  square(r, a);
  for (let i = 1; i < times; i++) square(r, r);
}

/** r = the low 255 bits of 32 little-endian bytes, with one unit; values of p and above are fine and count modulo p. */
export function fromBytes(r: usize, bytes: usize): void {
  const w0 = load<u64>(bytes, 0);
  const w1 = load<u64>(bytes, 8);
  const w2 = load<u64>(bytes, 16);
  const w3 = load<u64>(bytes, 24);
  // Limb i starts at bit 29i of the 256.
  store<u64>(r, w0 & LIMB_MASK, 0);
  store<u64>(r, (w0 >> 29) & LIMB_MASK, 8);
  store<u64>(r, ((w0 >> 58) | (w1 << 6)) & LIMB_MASK, 16);
  store<u64>(r, (w1 >> 23) & LIMB_MASK, 24);
  store<u64>(r, ((w1 >> 52) | (w2 << 12)) & LIMB_MASK, 32);
  store<u64>(r, (w2 >> 17) & LIMB_MASK, 40);
  store<u64>(r, ((w2 >> 46) | (w3 << 18)) & LIMB_MASK, 48);
  store<u64>(r, (w3 >> 11) & LIMB_MASK, 56);
  store<u64>(r, (w3 >> 40) & TOP_MASK, 64);
  carry(r, r);
}

/**
 * Writes the 32 little-endian bytes of a modulo p, canonical: in [0, p). The argument may have up to eight units.
 *
 * With the top limb folded, the lower ones make up less than 2^237 either way; p on top of that makes the value
 * positive and below 2^256 + 2^237. A carry through all limbs and the folding of what leaves bit 255 brings it
 * below 2^255 + 64, where it is at least p exactly if adding 19 reaches bit 255. That sum without bit 255 is then
 * the value less p.
 */
export function toBytes(bytes: usize, a: usize): void {
  const top = load<i64>(a, 64);
  let t0 = load<i64>(a, 0) + 19 * (top >> TOP_BITS) - 19;
  let t1 = load<i64>(a, 8);
  let t2 = load<i64>(a, 16);
  let t3 = load<i64>(a, 24);
  let t4 = load<i64>(a, 32);
  let t5 = load<i64>(a, 40);
  let t6 = load<i64>(a, 48);
  let t7 = load<i64>(a, 56);
  let t8 = (top & TOP_MASK) + TOP_MASK + 1;
  t1 += t0 >> LIMB_BITS;
  t0 &= LIMB_MASK;
  t2 += t1 >> LIMB_BITS;
  t1 &= LIMB_MASK;
  t3 += t2 >> LIMB_BITS;
  t2 &= LIMB_MASK;
  t4 += t3 >> LIMB_BITS;
  t3 &= LIMB_MASK;
  t5 += t4 >> LIMB_BITS;
  t4 &= LIMB_MASK;
  t6 += t5 >> LIMB_BITS;
  t5 &= LIMB_MASK;
  t7 += t6 >> LIMB_BITS;
  t6 &= LIMB_MASK;
  t8 += t7 >> LIMB_BITS;
  t7 &= LIMB_MASK;
  t0 += 19 * (t8 >> TOP_BITS);
  t8 &= TOP_MASK;

  let reaches = (t0 + 19) >> LIMB_BITS;
  reaches = (t1 + reaches) >> LIMB_BITS;
  reaches = (t2 + reaches) >> LIMB_BITS;
  reaches = (t3 + reaches) >> LIMB_BITS;
  reaches = (t4 + reaches) >> LIMB_BITS;
  reaches = (t5 + reaches) >> LIMB_BITS;
  reaches = (t6 + reaches) >> LIMB_BITS;
  reaches = (t7 + reaches) >> LIMB_BITS;
  reaches = (t8 + reaches) >> TOP_BITS;
  t0 += 19 * reaches;
  t1 += t0 >> LIMB_BITS;
  t0 &= LIMB_MASK;
  t2 += t1 >> LIMB_BITS;
  t1 &= LIMB_MASK;
  t3 += t2 >> LIMB_BITS;
  t2 &= LIMB_MASK;
  t4 += t3 >> LIMB_BITS;
  t3 &= LIMB_MASK;
  t5 += t4 >> LIMB_BITS;
  t4 &= LIMB_MASK;
  t6 += t5 >> LIMB_BITS;
  t5 &= LIMB_MASK;
  t7 += t6 >> LIMB_BITS;
  t6 &= LIMB_MASK;
  t8 += t7 >> LIMB_BITS;
  t7 &= LIMB_MASK;
  t8 &= TOP_MASK;

  store<u64>(bytes, t0 | (t1 << 29) | (t2 << 58), 0);
  store<u64>(bytes, (t2 >> 6) | (t3 << 23) | (t4 << 52), 8);
  store<u64>(bytes, (t4 >> 12) | (t5 << 17) | (t6 << 46), 16);
  store<u64>(bytes, (t6 >> 18) | (t7 << 11) | (t8 << 40), 24);
}

const CANONICAL: usize = memory.data(32, 16);

/** True if a = 0 modulo p; up to eight units. */
export function isZero(a: usize): bool {
  toBytes(CANONICAL, a);
  return (
    (load<u64>(CANONICAL, 0) |
      load<u64>(CANONICAL, 8) |
      load<u64>(CANONICAL, 16) |
      load<u64>(CANONICAL, 24)) ==
    0
  );
}

/** True if the canonical form of a is odd, which is how encodings tell x from -x; up to eight units. */
export function isOdd(a: usize): bool {
  toBytes(CANONICAL, a);
  return (load<u8>(CANONICAL) & 1) == 1;
}
