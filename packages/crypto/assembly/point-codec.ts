/** Points as 32 bytes: y in the low 255 bits, the parity of x in the top bit. */

import { add, fromBytes, isOdd, isZero, negate, setSmall, subtract, toBytes } from './field.ts';
import { multiply, square } from './field-multiply.ts';
import { invert, rootCandidate, SQRT_MINUS_ONE } from './field-power.ts';
import { CURVE_D, T, X, Y, Z } from './point.ts';

const ONE: usize = memory.data(72, 16);
const U: usize = memory.data(72, 16);
const V: usize = memory.data(72, 16);
const CHECK: usize = memory.data(72, 16);

/** True if the low 255 bits are a number below p = 2^255 - 19. */
function isCanonicalY(bytes: usize): bool {
  const highBits = load<u64>(bytes, 8) & load<u64>(bytes, 16) & (load<u64>(bytes, 24) | (1 << 63));
  return highBits != ~(<u64>0) || load<u64>(bytes) < ~(<u64>18); // ~18 = 2^64 - 19
}

/**
 * Begins decoding: Y of r, u = y² - 1 and v = d·y² + 1, of up to two units, with x² = u/v. Answers false for a y of p or above.
 */
export function beginDecoding(r: usize, bytes: usize, u: usize, v: usize): bool {
  if (!isCanonicalY(bytes)) return false;
  fromBytes(r + Y, bytes);
  square(u, r + Y);
  multiply(v, u, CURVE_D); // v is never 0 because -1/d is not a square
  setSmall(ONE, 1);
  subtract(u, u, ONE);
  add(v, v, ONE);
  return true;
}

/** Ends decoding, with rootCandidate(u, v) as X of r: see decodePoint. */
export function finishDecoding(r: usize, bytes: usize, u: usize, v: usize): bool {
  square(CHECK, r + X);
  multiply(CHECK, CHECK, v); // v·x², which is u, -u or no fit
  subtract(CHECK, CHECK, u);
  if (!isZero(CHECK)) {
    add(CHECK, CHECK, u);
    add(CHECK, CHECK, u);
    if (!isZero(CHECK)) return false;
    multiply(r + X, r + X, SQRT_MINUS_ONE);
  }
  const signBit = (load<u8>(bytes, 31) & 0x80) != 0;
  if (isOdd(r + X) != signBit) {
    if (isZero(r + X)) return false;
    negate(r + X, r + X);
  }
  multiply(r + T, r + X, r + Y);
  setSmall(r + Z, 1);
  return true;
}

/**
 * r = the point of 32 bytes, extended with Z = 1; answers false if there is none under Monero's rule (upstream
 * `ge_frombytes_vartime`): y must be below p, x must exist, and its sign bit must be 0 when x is 0. The identity and
 * points with torsion are fine.
 */
export function decodePoint(r: usize, bytes: usize): bool {
  if (!beginDecoding(r, bytes, U, V)) return false;
  rootCandidate(r + X, U, V);
  return finishDecoding(r, bytes, U, V);
}

const AFFINE_X: usize = memory.data(72, 16);
const AFFINE_Y: usize = memory.data(72, 16);

/** Writes the encoding of (X, Y) times the inverse of Z, which the caller has. */
export function encodeWithInverse(bytes: usize, p: usize, inverseOfZ: usize): void {
  multiply(AFFINE_X, p + X, inverseOfZ);
  multiply(AFFINE_Y, p + Y, inverseOfZ);
  toBytes(bytes, AFFINE_Y);
  if (isOdd(AFFINE_X)) store<u8>(bytes, load<u8>(bytes, 31) | 0x80, 31);
}

const INVERSE: usize = memory.data(72, 16);

/** Writes the 32 bytes of a projective point. */
export function encodePoint(bytes: usize, p: usize): void {
  invert(INVERSE, p + Z);
  encodeWithInverse(bytes, p, INVERSE);
}

const OWN_INVERSE: usize = memory.data(72, 16);

/** Writes the encodings of two projective points, p at `bytes` and q at `bytes` + 32, with one inversion. */
export function encodePair(bytes: usize, p: usize, q: usize): void {
  multiply(INVERSE, p + Z, q + Z);
  invert(INVERSE, INVERSE);
  multiply(OWN_INVERSE, INVERSE, q + Z);
  encodeWithInverse(bytes, p, OWN_INVERSE);
  multiply(OWN_INVERSE, INVERSE, p + Z);
  encodeWithInverse(bytes + 32, q, OWN_INVERSE);
}

/** True if p and q, projective, are the same point. */
export function isSamePoint(p: usize, q: usize): bool {
  multiply(U, p + X, q + Z);
  multiply(V, q + X, p + Z);
  subtract(U, U, V);
  if (!isZero(U)) return false;
  multiply(U, p + Y, q + Z);
  multiply(V, q + Y, p + Z);
  subtract(U, U, V);
  return isZero(U);
}
