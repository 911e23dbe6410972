import { keccak256 } from '@monero-node/keccak';

/** Returns 32 zero bytes, which stand for "no hash" in the protocol. */
export function zeroHash(): Uint8Array {
  return new Uint8Array(32);
}

/** Returns whether all bytes of a hash are zero. */
export function isZeroHash(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/** Returns the Keccak-256 hash (32 bytes) of 32-byte hashes joined in order. */
export function hashOfHashes(...hashes: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(hashes.length * 32);
  hashes.forEach((hash, i) => joined.set(hash, i * 32));
  return keccak256(joined);
}
