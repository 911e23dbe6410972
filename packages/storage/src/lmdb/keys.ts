const MAX_U32 = 0xffff_ffff;
const MAX_U64 = (1n << 64n) - 1n;

/** Whether a number can be a height or an index; anything else would be cut to 32 bits by the key writer. */
export function isUint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_U32;
}

export function isUint64(value: bigint): boolean {
  return value >= 0n && value <= MAX_U64;
}

/** Key of `output_count`: 8 bytes, big-endian. */
export function amountKey(amount: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, amount);
  return key;
}

/** The amount an `output_count` key stands for. */
export function amountOfKey(key: Uint8Array): bigint {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getBigUint64(0);
}

/** Key of `amount_output`: amount, then index, 12 bytes, big-endian. */
export function amountOutputKey(amount: bigint, index: number): Uint8Array {
  const key = new Uint8Array(12);
  const view = new DataView(key.buffer);
  view.setBigUint64(0, amount);
  view.setUint32(8, index);
  return key;
}

/** A little-endian uint32 value. */
export function uint32Value(value: number): Uint8Array {
  // Reaching for the buffer of such a small array would make it a costly one.
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}

/** The least key above another of the same table. */
export function keyAfter<K extends number | Uint8Array>(key: K): K;
export function keyAfter(key: number | Uint8Array): number | Uint8Array {
  return typeof key === 'number' ? key + 1 : Uint8Array.of(...key, 0);
}
