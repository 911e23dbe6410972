import { keccak256 } from '@monero-node/crypto';

/** 32 zero bytes, the "no hash" of the protocol. */
export function zeroHash(): Uint8Array {
  return new Uint8Array(32);
}

export function isZeroHash(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/** Hash of the concatenation of 32-byte hashes. */
export function hashOfHashes(...hashes: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(hashes.length * 32);
  hashes.forEach((hash, i) => joined.set(hash, i * 32));
  return keccak256(joined);
}
