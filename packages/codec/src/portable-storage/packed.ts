import type { StorageCursor } from './cursor.ts';
import type { Reading } from './reading.ts';

/** Returns views of the values of `size` bytes each that are joined in `bytes`. */
export function* unpackPods(
  cursor: StorageCursor,
  bytes: Uint8Array,
  size: number,
): Reading<Uint8Array[]> {
  const items: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    items.push(bytes.subarray(at, at + size));
    if (cursor.endsStep()) yield;
  }
  return items;
}

/** Returns the little-endian unsigned 64-bit integers that are joined in `bytes`. */
export function* unpackU64s(cursor: StorageCursor, bytes: Uint8Array): Reading<bigint[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const items: bigint[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    items.push(view.getBigUint64(at, true));
    if (cursor.endsStep()) yield;
  }
  return items;
}
