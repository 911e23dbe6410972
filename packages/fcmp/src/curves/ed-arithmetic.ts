import { decodeEdPoint, decodeEdPointWithTorsion, type EdPoint } from './ed25519.ts';
import { invert, p, squareRoot } from './fields.ts';

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
