import { randomFillSync } from 'node:crypto';

/** Bytes of a hash. */
export const HASH_SIZE = 32;

/** Secret random numbers: one for each value of each byte of a hash but the first. */
const SECRETS = randomFillSync(new Uint32Array((HASH_SIZE - 1) * 256));

/**
 * Returns 32 bits for the slot of a hash (32 bytes from `offset` on) in a table: the exclusive or of the secret numbers of its
 * bytes (tabulation hashing). Strangers choose some of the hashes, for example in requests, and must not be able to choose
 * many that share a slot. The first byte has no part in it, because it is the same for all hashes of a slice.
 */
export function scatterHash(source: Uint8Array, offset: number): number {
  let bits = 0;
  for (let i = 1; i < HASH_SIZE; i += 1)
    bits ^= SECRETS[((i - 1) << 8) | (source[offset + i] ?? 0)] ?? 0;
  return bits;
}
