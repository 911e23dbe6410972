/** Bytes of a hash, a key or a commitment. */
export const HASH_SIZE = 32;

/** Whether bytes are as many as a hash has, 32: no other is a key of the tables of hashes. */
export function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_SIZE;
}

/** Copies the 32 bytes at `from` of one array to `to` of another. For so few bytes a loop is faster than `set` and a view. */
export function putHash(target: Uint8Array, to: number, source: Uint8Array, from: number): void {
  for (let i = 0; i < HASH_SIZE; i += 1) target[to + i] = source[from + i] as number;
}

/** Returns the bytes of all parts in one array that nothing else shares. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns views of the hashes, 32 bytes each, that an array consists of. */
export function hashesIn(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / HASH_SIZE }, (_, i) =>
    bytes.subarray(HASH_SIZE * i, HASH_SIZE * (i + 1)),
  );
}
