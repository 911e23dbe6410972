import { abytes } from '@noble/hashes/utils.js';
import { G } from './point.ts';
import { decodeScalar, encodeScalar, Fn, hashToScalar, reduceScalar } from './scalar.ts';

/** Scalars modulo l as 32 bytes, little-endian, as keys and signatures have them. */

/**
 * Returns whether the bytes are a scalar below l, 0 included. Throws TypeError for anything but bytes.
 * Source: sc_check in src/crypto/crypto-ops.c.
 */
export function isScalar(bytes: Uint8Array): boolean {
  abytes(bytes, undefined, 'bytes');
  return decodeScalar(bytes) !== undefined;
}

/** Returns bytes of any length, little-endian, modulo l: 32 bytes. Source: sc_reduce32 in src/crypto/crypto-ops.c. */
export function reduceToScalar(bytes: Uint8Array): Uint8Array {
  return encodeScalar(reduceScalar(bytes));
}

/** Returns Keccak-256 of the concatenated parts modulo l, 32 bytes. Source: hash_to_scalar in src/crypto/crypto.cpp. */
export function hashToScalarBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return encodeScalar(hashToScalar(...parts));
}

/** Returns (a + b) modulo l, 32 bytes. Throws RangeError unless both are scalars. */
export function addScalars(a: Uint8Array, b: Uint8Array): Uint8Array {
  return encodeScalar(Fn.add(scalarOf(a), scalarOf(b)));
}

/** Returns (a - b) modulo l, 32 bytes. Throws RangeError unless both are scalars. */
export function subtractScalars(a: Uint8Array, b: Uint8Array): Uint8Array {
  return encodeScalar(Fn.sub(scalarOf(a), scalarOf(b)));
}

/** Returns a·b modulo l, 32 bytes. Throws RangeError unless both are scalars. */
export function multiplyScalars(a: Uint8Array, b: Uint8Array): Uint8Array {
  return encodeScalar(Fn.mul(scalarOf(a), scalarOf(b)));
}

/**
 * Returns the public key secret·G, 32 bytes, by an algorithm whose steps do not depend on the secret (JavaScript may
 * still run them unevenly). Throws RangeError unless the secret is a scalar other than 0.
 */
export function publicKeyOf(secret: Uint8Array): Uint8Array {
  const scalar = scalarOf(secret);
  if (scalar === 0n) throw new RangeError('a secret key is not 0');
  return G.multiply(scalar).toBytes();
}

function scalarOf(bytes: Uint8Array): bigint {
  abytes(bytes, undefined, 'scalar');
  const scalar = decodeScalar(bytes);
  if (scalar === undefined) throw new RangeError('a scalar has 32 bytes and is below l');
  return scalar;
}
