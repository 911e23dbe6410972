import { bytesToHex } from '@noble/hashes/utils.js';

/** Returns the number that little-endian bytes encode. */
export function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(Uint8Array.from(bytes).reverse())}`);
}
