import { mod } from '@noble/curves/abstract/modular.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { RefusedProof } from '../refused-proof.ts';
import { elementBytes, invert, invertAll, p, squareRoot } from './fields.ts';
import type { ShortWeierstrass } from './helios-selene.ts';

/** Points of Ed25519, OC of the paper. */
export const EdPoint = ed25519.Point;
export type EdPoint = InstanceType<typeof EdPoint>;

/**
 * Returns the point of 32 bytes, which may have torsion or be the identity. Throws `RefusedProof` if y is not below p, if no
 * point has it, and for x = 0 with the sign bit.
 */
export function decodeEdPointWithTorsion(bytes: Uint8Array): EdPoint {
  try {
    return EdPoint.fromBytes(bytes);
  } catch {
    throw new RefusedProof('no point of Ed25519');
  }
}

/**
 * Returns the point of 32 bytes, of the prime-order subgroup; the identity is one. Throws `RefusedProof` as
 * `decodeEdPointWithTorsion` does, and for torsion. Source: `read_G` of the ciphersuite that monero-oxide builds on.
 */
export function decodeEdPoint(bytes: Uint8Array): EdPoint {
  const point = decodeEdPointWithTorsion(bytes);
  if (!point.isTorsionFree()) throw new RefusedProof('a point of Ed25519 with torsion');
  return point;
}

/** Returns the point of 32 bytes. Throws `RefusedProof` as `decodeEdPoint` does, and for the identity. */
export function decodeEdPointNotIdentity(bytes: Uint8Array, decode = decodeEdPoint): EdPoint {
  const point = decode(bytes);
  if (point.is0()) throw new RefusedProof('the identity of Ed25519');
  return point;
}

/** What leaves ask of arithmetic on Ed25519, where their time goes. All implementations give the same answers. */
export interface EdArithmetic {
  /** As `decodeEdPointWithTorsion`. */
  decode(bytes: Uint8Array): EdPoint;
  /** As `decodeEdPoint`. */
  decodeTorsionFree(bytes: Uint8Array): EdPoint;
  /** Returns the multiple of a point, which may have torsion, by a scalar below l. */
  multiply(point: EdPoint, scalar: bigint): EdPoint;
  /** Returns a square root modulo p, either of the two, or undefined if there is none. */
  squareRoot(value: bigint): bigint | undefined;
  /** Returns the inverse modulo p. Throws `RefusedProof` for zero. */
  invert(value: bigint): bigint;
}

/** In TypeScript. */
export const REFERENCE_ED_ARITHMETIC: EdArithmetic = {
  decode: decodeEdPointWithTorsion,
  decodeTorsionFree: decodeEdPoint,
  multiply: (point, scalar) => point.multiplyUnsafe(scalar),
  squareRoot: (value) => squareRoot(value, p),
  invert: (value) => invert(value, p),
};

/** A of Curve25519, v² = u³ + A·u² + u. */
export const MONTGOMERY_A = 486662n;
const A_OVER_3 = mod(MONTGOMERY_A * invert(3n, p), p);
// A square root of -(A + 2). The RFC has the other one; the sign matters, as y goes into hashes.
const ROOT = 0x0f26edf460a006bbd27b08dc03fc4f7ec5a1d3d14b7d1a82cc6e04aaff457e06n;

/** Ed25519 as y² = x³ + a·x + b, the form in which circuits know it. */
export const WEI25519: ShortWeierstrass = {
  a: 0x2aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa984914a144n,
  b: 0x7b425ed097b425ed097b425ed097b425ed097b425ed097b4260b5e9c7710c864n,
  field: p,
};

/** Affine coordinates of a point that is not the identity. */
export interface Affine {
  readonly x: bigint;
  readonly y: bigint;
}

/**
 * Returns the coordinates on Wei25519 of a point of the prime-order subgroup: x = (1 + y)/(1 - y) + A/3 and
 * y = c·(1 + y)/((1 - y)·x), a homomorphism. Throws `RefusedProof` for the identity. Source: `to_xy` in monero-oxide,
 * crypto/divisors/src/lib.rs.
 */
export function toWei25519(point: EdPoint): Affine {
  return toWei25519All([point])[0] as Coordinates;
}

/** A point on Wei25519, and its 32 bytes on Ed25519. */
interface Coordinates extends Affine {
  readonly encoding: Uint8Array;
}

const SIGN_OF_X = 1n << 255n;

/**
 * Returns the same for many points with one inversion, and the 32 bytes of each point on Ed25519. Throws `RefusedProof` if one is the
 * identity or of order 2.
 */
export function toWei25519All(points: readonly EdPoint[]): Coordinates[] {
  const inverses = invertAll(
    points.map(({ X, Y, Z }) => ((X * Z) % p) * (Z - Y)),
    p,
  );
  return points.map(({ X, Y, Z }, i) => {
    const inverse = inverses[i] as bigint;
    const ratio = (((Z + Y) * Z) % p) * inverse;
    const perZ = mod(X * (Z - Y), p) * inverse;
    const edX = (X * (perZ % p)) % p;
    const edY = (Y * (perZ % p)) % p;
    return {
      x: ((ratio % p) * X + A_OVER_3) % p,
      y: (((ROOT * (ratio % p)) % p) * Z) % p,
      encoding: elementBytes((edX & 1n) === 1n ? edY | SIGN_OF_X : edY),
    };
  });
}
