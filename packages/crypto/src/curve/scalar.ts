import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { randomBytes } from '@noble/hashes/utils.js';

/** The scalar field modulo the prime l = 2^252 + 27742317777372353535851937790883648493. */
export const Fn = ed25519.Point.Fn;

/** 8^-1 modulo l: published Bulletproof points are divided by the cofactor with it. */
export const INV_EIGHT = Fn.inv(8n);

/** Reads a scalar, or answers undefined if it is not 32 bytes or not below l (upstream `sc_check`); 0 is allowed. */
export function decodeScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== 32) return undefined;
  const value = bytesToNumberLE(bytes);
  return value < Fn.ORDER ? value : undefined;
}

/** Reads every scalar, or answers undefined if any of them is not canonical. */
export function decodeScalars(encoded: readonly Uint8Array[]): bigint[] | undefined {
  const scalars: bigint[] = [];
  for (const bytes of encoded) {
    const scalar = decodeScalar(bytes);
    if (scalar === undefined) return undefined;
    scalars.push(scalar);
  }
  return scalars;
}

/** 32 bytes, little-endian, of a scalar in [0, l). */
export function encodeScalar(scalar: bigint): Uint8Array {
  return numberToBytesLE(scalar, 32);
}

/** Little-endian bytes of any length as an integer modulo l (upstream `sc_reduce32` for 32 bytes). */
export function reduceScalar(bytes: Uint8Array): bigint {
  return Fn.create(bytesToNumberLE(bytes));
}

/** Hs: Keccak-256 over the concatenation of the parts, modulo l. */
export function hashToScalar(...parts: readonly Uint8Array[]): bigint {
  const hash = keccak_256.create();
  for (const part of parts) hash.update(part);
  return reduceScalar(hash.digest());
}

/** A uniform scalar in [1, l) from the system's secure random source. */
export function randomScalar(): bigint {
  for (;;) {
    const scalar = reduceScalar(randomBytes(64));
    if (scalar !== 0n) return scalar;
  }
}
