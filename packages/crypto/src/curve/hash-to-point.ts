import { bytesToNumberLE } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { Fp, rootCandidate, SQRT_MINUS_ONE, squareRoot } from './field.ts';
import { Point } from './point.ts';

/** The coefficient of Curve25519, y² = x³ + A·x² + x. */
const A = 486662n;
const MINUS_A = Fp.neg(A);
const A_TIMES_A_PLUS_2 = A * (A + 2n);

// X is the square root of one of four numbers; the candidate root times one of these factors is that root.
const ROOT_FOR_W = squareRoot(2n * A_TIMES_A_PLUS_2);
const ROOT_FOR_MINUS_W = squareRoot(-2n * A_TIMES_A_PLUS_2);
const ROOT_FOR_I_W = squareRoot(SQRT_MINUS_ONE * A_TIMES_A_PLUS_2);
const ROOT_FOR_MINUS_I_W = squareRoot(-SQRT_MINUS_ONE * A_TIMES_A_PLUS_2);

/**
 * Maps 32 bytes to a curve point with an Elligator-like map through Curve25519. All 256 bits count; the
 * integer is reduced modulo p. Every input has an image. Source: ge_fromfe_frombytes_vartime in
 * src/crypto/crypto-ops.c.
 */
export function pointFromFieldBytes(bytes: Uint8Array): Point {
  const u = Fp.create(bytesToNumberLE(bytes));
  const v = Fp.mul(2n, Fp.sqr(u));
  const w = Fp.add(v, 1n);
  const x = Fp.sub(Fp.sqr(w), Fp.mul(Fp.sqr(A), v));
  let root = rootCandidate(w, x);
  const y = Fp.mul(Fp.sqr(root), x);

  let z = MINUS_A;
  let oddRoot = true;
  if (y === w || y === Fp.neg(w)) {
    root = Fp.mul(Fp.mul(root, y === w ? ROOT_FOR_W : ROOT_FOR_MINUS_W), u);
    z = Fp.mul(MINUS_A, v);
    oddRoot = false;
  } else {
    root = Fp.mul(root, w === Fp.mul(SQRT_MINUS_ONE, y) ? ROOT_FOR_I_W : ROOT_FOR_MINUS_I_W);
  }
  if (((root & 1n) === 1n) !== oddRoot) root = Fp.neg(root);

  // The affine point is (root, (z - w) / (z + w)); extended coordinates spare the division. z + w is
  // never 0: that would need v = 1/(A - 1) or v = A - 1, and half of either is not a square.
  const denominator = Fp.add(z, w);
  const numerator = Fp.sub(z, w);
  return new Point(Fp.mul(root, denominator), numerator, denominator, Fp.mul(root, numerator));
}

/**
 * Returns Hp(data) = 8·map(Keccak-256(data)), a point of the prime-order subgroup, for any number of bytes.
 * Source: hash_to_ec in src/crypto/crypto.cpp.
 */
export function hashToPoint(data: Uint8Array): Point {
  return pointFromFieldBytes(keccak_256(data)).clearCofactor();
}

/**
 * Returns the unbiased hash to a point, 32 bytes, of the prime-order subgroup, for any number of bytes: the sum of the maps of both halves
 * of Blake2b-512. It is the key image generator of Carrot outputs. Source: unbiased_hash_to_ec in src/crypto/crypto.cpp.
 */
export function unbiasedHashToPoint(data: Uint8Array): Uint8Array {
  const hash = blake2b(data, { dkLen: 64 });
  const first = pointFromFieldBytes(hash.subarray(0, 32)).clearCofactor();
  return first.add(pointFromFieldBytes(hash.subarray(32)).clearCofactor()).toBytes();
}
