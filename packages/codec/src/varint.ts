import { ByteWriter } from './byte-writer.ts';

/**
 * Returns a number as a Monero varint of 1 … 10 bytes: seven bits per byte, the low group first; a set high
 * bit means that another byte follows.
 * `value`: 0 … 2^64 - 1; a number must be a safe integer.
 * Throws RangeError when out of range.
 * Source: src/common/varint.h.
 */
export function encodeVarint(value: bigint | number): Uint8Array {
  return new ByteWriter(10).varint(value).toBytes();
}

/** Returns how many bytes {@link encodeVarint} needs for a value: 1 … 10. */
export function varintSize(value: bigint | number): number {
  let size = 1;
  for (let rest = BigInt(value); rest >= 0x80n; rest >>= 7n) size++;
  return size;
}
