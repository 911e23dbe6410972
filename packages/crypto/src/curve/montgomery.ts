import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { abytes } from '@noble/hashes/utils.js';
import { Fp } from './field.ts';
import { decodePoint } from './point.ts';
import { decodeScalar } from './scalar.ts';

/** Curve25519, v² = u³ + 486662·u² + u, by u coordinates alone: what Carrot agrees on secrets with. */

const p = Fp.ORDER;
/** (486662 - 2) / 4. Source: RFC 7748, 5. */
const A24 = 121665n;
const BITS = 255n;
const U_MASK = (1n << BITS) - 1n;

const modP = (value: bigint): bigint => ((value % p) + p) % p;

/**
 * Returns the u coordinate, 32 bytes, of a point of Ed25519, 32 bytes: (1 + y)/(1 - y), and 0 for the identity. Undefined
 * for bytes that are no point. Source: ConvertPointE in the Carrot specification, `edwards_bytes_to_x25519_vartime`
 * in monero, src/crypto/crypto-ops.c.
 */
export function toMontgomery(point: Uint8Array): Uint8Array | undefined {
  const decoded = decodePoint(point);
  if (decoded === undefined) return undefined;
  const { Y, Z } = decoded;
  const denominator = modP(Z - Y);
  const u = denominator === 0n ? 0n : Fp.mul(modP(Z + Y), Fp.inv(denominator));
  return numberToBytesLE(u, 32);
}

/**
 * Returns the u coordinate of scalar·P, 32 bytes, for a scalar below l and any u coordinate of P, 32 bytes each: X25519
 * without its clamping, so that scalars work as on Ed25519. The top bit of u is ignored, u counts modulo p, and points of the
 * twist and of small order are multiplied as others are. The time depends on the scalar.
 *
 * Throws RangeError for a scalar that is not below l or bytes of another length, and TypeError for anything but bytes.
 * Source: RFC 7748, 5, and `mx25519_scmul_key` of tevador/mx25519.
 */
export function multiplyMontgomery(scalar: Uint8Array, u: Uint8Array): Uint8Array {
  abytes(scalar, 32, 'scalar');
  abytes(u, 32, 'u');
  const k = decodeScalar(scalar);
  if (k === undefined) throw new RangeError('a scalar has 32 bytes and is below l');
  const x1 = (bytesToNumberLE(u) & U_MASK) % p;
  return numberToBytesLE(ladder(k, x1), 32);
}

/** The Montgomery ladder. The names are those of RFC 7748. */
function ladder(k: bigint, x1: bigint): bigint {
  let [x2, z2, x3, z3] = [1n, 0n, x1, 1n];
  let swapped = 0n;
  for (let t = BITS - 1n; t >= 0n; t--) {
    const bit = (k >> t) & 1n;
    if (swapped !== bit) [x2, z2, x3, z3] = [x3, z3, x2, z2];
    swapped = bit;
    const a = x2 + z2;
    const b = x2 - z2;
    const aa = (a * a) % p;
    const bb = (b * b) % p;
    const e = aa - bb;
    const da = ((x3 - z3) * a) % p;
    const cb = ((x3 + z3) * b) % p;
    const sum = da + cb;
    const difference = da - cb;
    x3 = (sum * sum) % p;
    z3 = (x1 * ((difference * difference) % p)) % p;
    x2 = (aa * bb) % p;
    z2 = (e * (aa + A24 * e)) % p;
  }
  if (swapped === 1n) [x2, z2] = [x3, z3];
  const z = modP(z2);
  return z === 0n ? 0n : Fp.mul(modP(x2), Fp.inv(z));
}
