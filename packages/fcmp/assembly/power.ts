/** Powers modulo the prime, by which the host takes square roots. */

import { ELEMENT_SIZE, multiply, square, unpack } from './field.ts';

const WINDOW: i32 = 4;
const table: usize = memory.data(16 * 72);
const result: usize = memory.data(72);
const square261: usize = memory.data(72);

/**
 * Computes base^exponent. At `place` the host wrote 2^522 modulo the prime, one in Montgomery's form, the base below the prime and
 * the exponent, each of 32 bytes, little-endian. Returns where the power is, less than twice the prime: nine limbs of 29 bits in eight bytes each.
 */
export function power(place: usize): usize {
  unpack(square261, place);
  unpack(table, place + 32);
  const first = table + ELEMENT_SIZE;
  unpack(first, place + 64);
  multiply(first, first, square261);
  for (let i: usize = 2; i < 16; i++) {
    multiply(table + i * ELEMENT_SIZE, table + (i - 1) * ELEMENT_SIZE, first);
  }
  memory.copy(result, table, ELEMENT_SIZE);
  for (let nibble = 63; nibble >= 0; nibble--) {
    for (let i = 0; i < WINDOW; i++) square(result, result);
    const byte = <usize>load<u8>(place + 96 + ((<usize>nibble) >> 1));
    const digit = nibble & 1 ? byte >> WINDOW : byte & 15;
    if (digit != 0) multiply(result, result, table + digit * ELEMENT_SIZE);
  }
  // Out of Montgomery's form.
  memory.fill(square261, 0, ELEMENT_SIZE);
  store<i64>(square261, 1);
  multiply(result, result, square261);
  return result;
}
