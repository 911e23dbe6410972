import { keccak_256 } from '@noble/hashes/sha3.js';

/** Returns Keccak-256 with the original padding byte 0x01 (not SHA3-256): any length in, 32 bytes out. */
export function keccak256(data: Uint8Array): Uint8Array {
  return keccak_256(data);
}
