/**
 * Arithmetic modulo the group order l = 2^252 + c, c = 27742317777372353535851937790883648493.
 *
 * A scalar is 32 little-endian bytes in memory; results are always canonical (below l), arguments must be unless
 * said otherwise. None of this is constant-time: a verifier has no secrets.
 */

import { multiply, reduce } from './scalar-multiply.ts';
import { addWords, isCanonical, L0, L1, L3, subtractOrder } from './scalar-words.ts';

export { isCanonical, multiply, reduce };

/** Bytes of a scalar. */
export const SCALAR_SIZE: usize = 32;

export function isZero(a: usize): bool {
  return (load<u64>(a, 0) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0;
}

export function isEqual(a: usize, b: usize): bool {
  return (
    load<u64>(a, 0) == load<u64>(b, 0) &&
    load<u64>(a, 8) == load<u64>(b, 8) &&
    load<u64>(a, 16) == load<u64>(b, 16) &&
    load<u64>(a, 24) == load<u64>(b, 24)
  );
}

export function copy(r: usize, a: usize): void {
  memory.copy(r, a, SCALAR_SIZE);
}

/** r = a². */
export function square(r: usize, a: usize): void {
  multiply(r, a, a);
}

/** r = a small integer. */
export function setSmall(r: usize, value: u64): void {
  store<u64>(r, value, 0);
  store<u64>(r, 0, 8);
  store<u64>(r, 0, 16);
  store<u64>(r, 0, 24);
}

/** r = a + b. */
export function add(r: usize, a: usize, b: usize): void {
  addWords(r, load<u64>(a, 0), load<u64>(a, 8), load<u64>(a, 16), load<u64>(a, 24), b);
  if (!isCanonical(r)) subtractOrder(r);
}

/** r = -a. */
export function negate(r: usize, a: usize): void {
  if (isZero(a)) return setSmall(r, 0);
  // l - a = l + ~a + 1 modulo 2^256.
  store<u64>(r, ~load<u64>(a, 0), 0);
  store<u64>(r, ~load<u64>(a, 8), 8);
  store<u64>(r, ~load<u64>(a, 16), 16);
  store<u64>(r, ~load<u64>(a, 24), 24);
  addWords(r, L0 + 1, L1, 0, L3, r);
}

const NEGATED: usize = memory.data(32, 16);

/** r = a - b. */
export function subtract(r: usize, a: usize, b: usize): void {
  negate(NEGATED, b);
  add(r, a, NEGATED);
}

const WINDOW: usize = memory.data(16 * 32, 16);
const POWER: usize = memory.data(32, 16);
const EXPONENT: usize = memory.data(32, 16);

/** r = 1/a, and 0 for 0: a^(l-2), four bits of the exponent at a time. */
export function invert(r: usize, a: usize): void {
  store<u64>(EXPONENT, L0 - 2, 0);
  store<u64>(EXPONENT, L1, 8);
  store<u64>(EXPONENT, 0, 16);
  store<u64>(EXPONENT, L3, 24);
  setSmall(WINDOW, 1);
  for (let i: usize = 1; i < 16; i++) multiply(WINDOW + 32 * i, WINDOW + 32 * (i - 1), a);
  setSmall(POWER, 1);
  for (let i: i32 = 63; i >= 0; i--) {
    for (let j = 0; j < 4; j++) multiply(POWER, POWER, POWER);
    const byte = load<u8>(EXPONENT + <usize>(i >> 1));
    const digit = <usize>(i & 1 ? byte >> 4 : byte & 15);
    if (digit != 0) multiply(POWER, POWER, WINDOW + 32 * digit);
  }
  copy(r, POWER);
}

const RUNNING: usize = memory.data(32, 16);
const NEXT: usize = memory.data(32, 16);

/** r_i = 1/a_i for `count` scalars, none of them 0, with a single inversion. `r` and `a` are different arrays. */
export function invertAll(r: usize, a: usize, count: i32): void {
  if (count == 0) return;
  copy(r, a);
  for (let i = 1; i < count; i++) {
    const at = <usize>i * SCALAR_SIZE;
    multiply(r + at, r + at - SCALAR_SIZE, a + at);
  }
  const last = <usize>(count - 1) * SCALAR_SIZE;
  invert(RUNNING, r + last); // of the product of a_0..a_i
  for (let at = last; at > 0; at -= SCALAR_SIZE) {
    multiply(NEXT, RUNNING, r + at - SCALAR_SIZE);
    multiply(RUNNING, RUNNING, a + at);
    copy(r + at, NEXT);
  }
  copy(r, RUNNING);
}
