import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { randomBytes } from '@noble/hashes/utils.js';

/** The scalar field modulo the prime l = 2^252 + 27742317777372353535851937790883648493. */
export const Fn = ed25519.Point.Fn;

/** 8^-1 modulo l, by which wallets multiply Bulletproof points before they publish them. */
export const INV_EIGHT = Fn.inv(8n);

/**
 * Reads a scalar, 0 included. Returns undefined if it is not 32 bytes long or not below l.
 * Source: sc_check in src/crypto/crypto-ops.c.
 */
export function decodeScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== 32) return undefined;
  const value = bytesToNumberLE(bytes);
  return value < Fn.ORDER ? value : undefined;
}

/** Reads scalars of 32 bytes each. Returns undefined if any of them is not canonical. */
export function decodeScalars(encoded: readonly Uint8Array[]): bigint[] | undefined {
  const scalars: bigint[] = [];
  for (const bytes of encoded) {
    const scalar = decodeScalar(bytes);
    if (scalar === undefined) return undefined;
    scalars.push(scalar);
  }
  return scalars;
}

/** Returns the 32 bytes, little-endian, of a scalar in [0, l). */
export function encodeScalar(scalar: bigint): Uint8Array {
  return numberToBytesLE(scalar, 32);
}

/**
 * Returns little-endian bytes of any length as an integer modulo l.
 * Source for 32 bytes: sc_reduce32 in src/crypto/crypto-ops.c.
 */
export function reduceScalar(bytes: Uint8Array): bigint {
  return Fn.create(bytesToNumberLE(bytes));
}

/** Returns Hs(parts): Keccak-256 of the concatenated bytes as a little-endian integer modulo l. */
export function hashToScalar(...parts: readonly Uint8Array[]): bigint {
  const hash = keccak_256.create();
  for (const part of parts) hash.update(part);
  return reduceScalar(hash.digest());
}

/** Returns a uniform scalar in [1, l) from the system's secure random source. */
export function randomScalar(): bigint {
  for (;;) {
    const scalar = reduceScalar(randomBytes(64));
    if (scalar !== 0n) return scalar;
  }
}
