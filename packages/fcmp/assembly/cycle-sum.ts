/** Sums of multiples of points of Helios or Selene, by Pippenger's method with signed digits. */

import { multiplyEdPoint } from './ed-point.ts';
import { power } from './power.ts';
import { multiply, setPrime, unpack } from './field.ts';
import { addAffine, addSum, AFFINE_SIZE, doublePoint, isIdentity, one, SUM_SIZE } from './point.ts';

export { multiplyEdPoint, power, setPrime };

const SCALAR_BITS: i32 = 255;
/** What the host writes and reads begins here; behind it is scratch memory of one sum. */
const BASE: usize = (__heap_base + 15) & ~15;
/** Bytes of a point and its scalar as the host writes them: x, y and scalar. */
const TERM_SIZE: usize = 96;
/** Before the terms: 2^522 modulo the prime, and one in Montgomery's form, each little-endian. */
const HEAD_SIZE: usize = 64;
// Multiplications that an addition takes: of an affine point to a sum, and of two sums.
const MIXED_COST: i32 = 10;
const FULL_COST: i32 = 14;

const total: usize = memory.data(288);
const running: usize = memory.data(288);
const bucketSum: usize = memory.data(288);
const square261: usize = memory.data(72);

/** The window width with the fewest multiplications for `count` points. */
function bestWidth(count: i32): i32 {
  let best = 3;
  let bestCost: i32 = i32.MAX_VALUE;
  for (let width = 3; width <= 12; width++) {
    const cost =
      (SCALAR_BITS / width + 1) * (MIXED_COST * count + 2 * FULL_COST * (1 << (width - 1)));
    if (cost < bestCost) {
      best = width;
      bestCost = cost;
    }
  }
  return best;
}

/**
 * Returns where the host writes for a sum of `count` points: 2^522 modulo the prime, 2^261 modulo it, then x, y and the scalar of each point, all
 * of 32 bytes, little-endian. Traps when there is no such memory.
 */
export function begin(count: i32): usize {
  grow(BASE + HEAD_SIZE + <usize>count * TERM_SIZE + 8);
  return BASE;
}

function grow(end: usize): void {
  const pages = <i32>((end + 65535) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}

/** Writes the signed digits of a scalar, lowest first, `stride` bytes apart. */
function writeDigits(place: usize, stride: usize, scalar: usize, width: i32, windows: i32): void {
  const mask: u64 = ((<u64>1) << width) - 1;
  const half: i32 = 1 << (width - 1);
  let carry: i32 = 0;
  for (let window = 0; window < windows; window++) {
    const bit = window * width;
    // Bits above the scalar belong to the next term.
    const word = load<u64>(scalar + ((<usize>bit) >> 3)) >> ((<u64>bit) & 7);
    const left = SCALAR_BITS - bit;
    const bits = left >= width ? mask : left <= 0 ? 0 : ((<u64>1) << left) - 1;
    let digit = <i32>(word & bits) + carry;
    carry = digit > half ? 1 : 0;
    if (carry) digit -= 1 << width;
    store<i16>(place, <i16>digit);
    place += stride;
  }
}

/** total += Σ (k + 1)·bucket[k], by running sums from the top. */
function addBuckets(buckets: usize, count: i32): void {
  memory.fill(running, 0, SUM_SIZE);
  memory.fill(bucketSum, 0, SUM_SIZE);
  for (let k = count - 1; k >= 0; k--) {
    addSum(running, buckets + <usize>k * SUM_SIZE);
    addSum(bucketSum, running);
  }
  addSum(total, bucketSum);
}

/**
 * Computes the sum of what the host wrote after `begin(count)`: coordinates below the prime, of points of the curve, scalars below
 * 2^255. Returns where X, Y, ZZ and ZZZ of the sum are, in Montgomery's form, each nine limbs of 29 bits in eight bytes; 0 for the identity.
 */
export function sum(count: i32): usize {
  const width = bestWidth(count);
  const windows = SCALAR_BITS / width + 1;
  const bucketCount = 1 << (width - 1);
  const points = (BASE + HEAD_SIZE + <usize>count * TERM_SIZE + 15) & ~7;
  const digits = points + <usize>count * AFFINE_SIZE;
  const stride = <usize>count * 2;
  const buckets = (digits + stride * <usize>windows + 7) & ~7;
  grow(buckets + <usize>bucketCount * SUM_SIZE);
  unpack(square261, BASE);
  unpack(one(), BASE + 32);
  for (let i = 0; i < count; i++) {
    const term = BASE + HEAD_SIZE + <usize>i * TERM_SIZE;
    const point = points + <usize>i * AFFINE_SIZE;
    unpack(point, term);
    multiply(point, point, square261);
    unpack(point + 72, term + 32);
    multiply(point + 72, point + 72, square261);
    writeDigits(digits + <usize>i * 2, stride, term + 64, width, windows);
  }
  memory.fill(total, 0, SUM_SIZE);
  for (let window = windows - 1; window >= 0; window--) {
    for (let i = 0; i < width; i++) doublePoint(total);
    memory.fill(buckets, 0, <usize>bucketCount * SUM_SIZE);
    for (let i = 0; i < count; i++) {
      const digit = load<i16>(digits + stride * <usize>window + <usize>i * 2);
      if (digit == 0) continue;
      const size = digit < 0 ? -digit : digit;
      addAffine(buckets + <usize>(size - 1) * SUM_SIZE, points + <usize>i * AFFINE_SIZE, digit < 0);
    }
    addBuckets(buckets, bucketCount);
  }
  return isIdentity(total) ? 0 : total;
}
