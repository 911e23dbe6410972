import { blake2b } from '@noble/hashes/blake2.js';
import { abytes, concatBytes } from '@noble/hashes/utils.js';
import type { PowRequest, RandomxRequest } from './pow-hasher.ts';

/** Returns whether the request is for RandomX, of either version. */
export function isRandomx(request: PowRequest): request is RandomxRequest {
  return request.kind !== 'cryptonight';
}

/**
 * Returns the 32-byte commitment to a RandomX hash: Blake2b-256 of the blob and the hash. Where a fork demands it, the
 * commitment takes the place of the hash as proof of work. Who knows the hash can check the commitment without RandomX.
 * Source: randomx_calculate_commitment in src/randomx.cpp of tevador/RandomX v2.0.
 *
 * @param blob block hashing blob
 * @param hash RandomX hash of the blob, 32 bytes
 *
 * Throws TypeError for anything but bytes, and RangeError for a hash of another length.
 */
export function randomxCommitment(blob: Uint8Array, hash: Uint8Array): Uint8Array {
  abytes(blob, undefined, 'blob');
  abytes(hash, 32, 'hash');
  return blake2b(concatBytes(blob, hash), { dkLen: 32 });
}
