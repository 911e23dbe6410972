/**
 * Multiples of points of Ed25519, -x² + y² = 1 + d·x²·y², torsion or not. Points are kept as X/Z and Y/Z with T = X·Y/Z ("extended coordinates",
 * Hisil and others, 2008, section 3), whose formulas hold for all points of this curve.
 */

import { add, ELEMENT_SIZE, multiply, square, subtract, unpack } from './field.ts';

const Y: usize = 72;
const Z: usize = 144;
const T: usize = 216;
const POINT_SIZE: usize = 288;
const WINDOW: i32 = 4;

const table: usize = memory.data(16 * 288);
const total: usize = memory.data(288);
const square261: usize = memory.data(72);
const twiceD: usize = memory.data(72);
const A: usize = memory.data(72);
const B: usize = memory.data(72);
const C: usize = memory.data(72);
const E: usize = memory.data(72);
const F: usize = memory.data(72);
const G: usize = memory.data(72);
const H: usize = memory.data(72);

/** The common end of both formulas. */
function finish(p: usize): void {
  multiply(p, E, F);
  multiply(p + Y, G, H);
  multiply(p + T, E, H);
  multiply(p + Z, F, G);
}

/** p = 2p. */
function doublePoint(p: usize): void {
  square(A, p);
  square(B, p + Y);
  square(C, p + Z);
  add(C, C, C);
  add(E, p, p + Y);
  square(E, E);
  add(H, A, B);
  subtract(E, E, H);
  subtract(G, B, A);
  subtract(F, G, C);
  // -A - B.
  subtract(H, G, B);
  subtract(H, H, B);
  finish(p);
}

/** r = p + q. */
function addPoints(r: usize, p: usize, q: usize): void {
  subtract(E, p + Y, p);
  subtract(F, q + Y, q);
  multiply(A, E, F);
  add(E, p + Y, p);
  add(F, q + Y, q);
  multiply(B, E, F);
  multiply(C, p + T, twiceD);
  multiply(C, C, q + T);
  multiply(H, p + Z, q + Z);
  add(H, H, H);
  subtract(E, B, A);
  subtract(F, H, C);
  add(G, H, C);
  add(H, B, A);
  finish(r);
}

/** r = the number at `bytes`, in Montgomery's form. */
function take(r: usize, bytes: usize): void {
  unpack(r, bytes);
  multiply(r, r, square261);
}

/**
 * Computes a multiple of a point. The prime is 2^255 - 19. At `place` the host wrote 2^522 modulo it, one in Montgomery's form, x and y of the point below
 * the prime, 2d and the scalar below 2^255, each of 32 bytes, little-endian. Returns where X, Y and Z of the multiple are, in Montgomery's form,
 * each nine limbs of 29 bits in eight bytes.
 */
export function multiplyEdPoint(place: usize): usize {
  unpack(square261, place);
  take(twiceD, place + 128);
  // The identity: (0, 1).
  memory.fill(table, 0, POINT_SIZE);
  unpack(table + Y, place + 32);
  memory.copy(table + Z, table + Y, ELEMENT_SIZE);
  const first = table + POINT_SIZE;
  take(first, place + 64);
  take(first + Y, place + 96);
  memory.copy(first + Z, table + Z, ELEMENT_SIZE);
  multiply(first + T, first, first + Y);
  for (let i: usize = 2; i < 16; i++) {
    addPoints(table + i * POINT_SIZE, table + (i - 1) * POINT_SIZE, first);
  }
  memory.copy(total, table, POINT_SIZE);
  for (let nibble = 63; nibble >= 0; nibble--) {
    for (let i = 0; i < WINDOW; i++) doublePoint(total);
    const byte = <usize>load<u8>(place + 160 + ((<usize>nibble) >> 1));
    const digit = nibble & 1 ? byte >> WINDOW : byte & 15;
    if (digit != 0) addPoints(total, total, table + digit * POINT_SIZE);
  }
  return total;
}
