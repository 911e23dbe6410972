/** Bytes of a hash, a key or a commitment. */
export const HASH_SIZE = 32;

/** Whether bytes are as many as a hash has, 32: no other is a key of the tables of hashes. */
export function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_SIZE;
}

/**
 * Copies the 32 bytes at `from` of one array to `to` of another. For so few bytes a loop is faster than `set` and a view, and one of eight
 * bytes at a time takes half as long as one of single bytes.
 */
export function putHash(target: Uint8Array, to: number, source: Uint8Array, from: number): void {
  for (let i = 0; i < HASH_SIZE; i += 8) {
    const t = to + i;
    const s = from + i;
    target[t] = source[s] as number;
    target[t + 1] = source[s + 1] as number;
    target[t + 2] = source[s + 2] as number;
    target[t + 3] = source[s + 3] as number;
    target[t + 4] = source[s + 4] as number;
    target[t + 5] = source[s + 5] as number;
    target[t + 6] = source[s + 6] as number;
    target[t + 7] = source[s + 7] as number;
  }
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
