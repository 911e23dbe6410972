import { ByteWriter } from './byte-writer.ts';

/**
 * Returns a number as a Monero varint of 1 … 10 bytes: seven bits per byte, the low group first; the high
 * bit says that more follow.
 * `value`: 0 … 2^64 - 1; a number must be a safe integer.
 * Throws RangeError when out of range.
 * Source: src/common/varint.h.
 */
export function encodeVarint(value: bigint | number): Uint8Array {
  return new ByteWriter(10).varint(value).toBytes();
}

/** Bytes {@link encodeVarint} needs for a value: 1 … 10. */
export function varintSize(value: bigint | number): number {
  let size = 1;
  for (let rest = BigInt(value); rest >= 0x80n; rest >>= 7n) size++;
  return size;
}
