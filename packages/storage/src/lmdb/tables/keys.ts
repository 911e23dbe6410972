import { RowWriter } from './rows.ts';

const MAX_U32 = 0xffff_ffff;
const MAX_U64 = (1n << 64n) - 1n;

/** Returns whether a number can be a height or an index. LMDB's key writer would cut anything else to 32 bits. */
export function isUint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_U32;
}

/** Returns whether an integer fits 8 bytes. */
export function isUint64(value: bigint): boolean {
  return value >= 0n && value <= MAX_U64;
}

/** Returns the key of `output_count`: the amount (atomic units), 8 bytes, big-endian. */
export function amountKey(amount: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, amount);
  return key;
}

/** Returns the amount (atomic units) of an `output_count` key of 8 bytes. */
export function amountOfKey(key: Uint8Array): bigint {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getBigUint64(0);
}

/** Returns the key of `amount_output`: amount (8 bytes), then index (4 bytes), big-endian. */
export function amountOutputKey(amount: bigint, index: number): Uint8Array {
  const key = new Uint8Array(12);
  const view = new DataView(key.buffer);
  view.setBigUint64(0, amount);
  view.setUint32(8, index);
  return key;
}

/** Returns a uint32 as 4 bytes, little-endian. */
export function uint32Value(value: number): Uint8Array {
  const row = new RowWriter(4);
  row.u32(value);
  return row.bytes;
}

/** Writes a uint32 to `at` of an array: 4 bytes, little-endian. */
export function putUint32(target: Uint8Array, at: number, value: number): void {
  // A DataView would need the array's buffer, and V8 allocates that only when asked: slow for 4 bytes.
  target[at] = value;
  target[at + 1] = value >>> 8;
  target[at + 2] = value >>> 16;
  target[at + 3] = value >>> 24;
}

/** Returns the smallest key above another of the same table: the next number, or the bytes with a zero byte appended. */
export function keyAfter<K extends number | Uint8Array>(key: K): K;
export function keyAfter(key: number | Uint8Array): number | Uint8Array {
  return typeof key === 'number' ? key + 1 : Uint8Array.of(...key, 0);
}
