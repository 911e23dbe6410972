import { normalizeZ } from '@noble/curves/abstract/curve.js';
import type { EdwardsPoint } from '@noble/curves/abstract/edwards.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { abytes, hexToBytes } from '@noble/hashes/utils.js';
import { Fp, rootCandidate, SQRT_MINUS_ONE } from './field.ts';

/** A curve point in extended coordinates; it may have a torsion component. */
export type Point = EdwardsPoint;
export const Point = ed25519.Point;

const { d } = Point.CURVE();
const SIGN_BIT = 1n << 255n;

/**
 * Returns the point that 32 bytes encode under Monero's rule, or undefined if they encode none. Source:
 * ge_frombytes_vartime in src/crypto/crypto-ops.c.
 *
 * The low 255 bits are y and must be below p; x follows from the curve equation; the top bit is the
 * parity of x and must be 0 when x is 0. The identity, points of low order and points with a torsion
 * component all decode. This is stricter than ZIP 215 (which takes y >= p), so noble's lenient mode must not be used.
 */
export function decodePoint(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== 32) return undefined;
  const encoded = bytesToNumberLE(bytes);
  const xIsOdd = encoded >= SIGN_BIT;
  const y = xIsOdd ? encoded - SIGN_BIT : encoded;
  if (y >= Fp.ORDER) return undefined;

  // x² = (y² - 1) / (d·y² + 1); the denominator is never 0 because -1/d is not a square.
  const yy = Fp.sqr(y);
  const u = Fp.sub(yy, 1n);
  const v = Fp.add(Fp.mul(d, yy), 1n);
  let x = rootCandidate(u, v);
  const vxx = Fp.mul(v, Fp.sqr(x));
  if (vxx !== u) {
    if (vxx !== Fp.neg(u)) return undefined;
    x = Fp.mul(x, SQRT_MINUS_ONE);
  }
  if (((x & 1n) === 1n) !== xIsOdd) {
    if (x === 0n) return undefined;
    x = Fp.neg(x);
  }
  return Point.fromAffine({ x, y });
}

/**
 * Returns whether 32 bytes encode a point under Monero's rule (see decodePoint); false for any other number of bytes.
 * Throws TypeError for anything but bytes.
 */
export function isCurvePoint(bytes: Uint8Array): boolean {
  abytes(bytes, undefined, 'bytes');
  return decodePoint(bytes) !== undefined;
}

/** Returns the points of several 32-byte encodings, or undefined if any of them is not a point. */
export function decodePoints(encoded: readonly Uint8Array[]): Point[] | undefined {
  const points: Point[] = [];
  for (const bytes of encoded) {
    const point = decodePoint(bytes);
    if (point === undefined) return undefined;
    points.push(point);
  }
  return points;
}

/** Returns the 32-byte encodings of several points, with one field inversion for all of them. */
export function encodePoints(points: readonly Point[]): Uint8Array[] {
  return normalizeZ(Point, [...points]).map((point) => point.toBytes());
}

/** Returns whether l·P is the identity, as it is for the identity itself. */
export function isInPrimeSubgroup(point: Point): boolean {
  return point.isTorsionFree();
}

/** The base point G, y = 4/5 and x even. */
export const G: Point = Point.BASE;

/** The 32-byte encoding of the second generator H = 8·decode(K(G)), the base of amounts (not Hp(G)). */
export const H_BYTES = hexToBytes(
  '8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94',
);

/** Returns a new point object for H, so that its owner may attach multiplication tables to it. */
export function createH(): Point {
  return Point.fromBytes(H_BYTES);
}
