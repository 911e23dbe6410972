import { mod } from '@noble/curves/abstract/modular.js';
import { weierstrass, type WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { RefusedProof } from '../refused-proof.ts';
import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { elementBytes, p, q, squareRoot } from './fields.ts';

/** A point of Helios or Selene. */
export type CyclePoint = WeierstrassPoint<bigint>;

/** What circuits and tables need to know of a curve y² = x³ + a·x + b. */
export interface ShortWeierstrass {
  readonly a: bigint;
  readonly b: bigint;
  /** The prime of the coordinates. */
  readonly field: bigint;
}

/** One of the two curves of the cycle: the order of each is the base field of the other. */
export interface CycleCurve extends ShortWeierstrass {
  readonly name: 'Helios' | 'Selene';
  /** The prime order of the group; there is no cofactor. */
  readonly order: bigint;
  readonly Point: ReturnType<typeof weierstrass<bigint>>;
}

function cycleCurve(
  name: CycleCurve['name'],
  { field, order, b, Gy }: { field: bigint; order: bigint; b: bigint; Gy: bigint },
): CycleCurve {
  const a = field - 3n;
  const Point = weierstrass<bigint>({ p: field, n: order, h: 1n, a, b, Gx: 1n, Gy });
  return { name, field, order, a, b, Point };
}

// Source of the curves: monero-oxide, crypto/helioselene/src/point.rs. Neither b is a square, so no point has x = 0: a child
// that is missing in a branch counts as zero and can never be proved as a member.

/** C2 of the paper: over p, of order q. Proves what happens on Selene. */
export const HELIOS = cycleCurve('Helios', {
  field: p,
  order: q,
  b: 0x26bdec0884fe05f20cb42071569fab6432be360d07da8c5b460b82b980fd8c60n,
  Gy: 0x611dffc62fe02c759e5ac10f40e009b8e3b147387068aaf810dbdf2d817c67ban,
});

/** C1 of the paper: over q, of order p. Proves what happens on Ed25519 and on Helios. */
export const SELENE = cycleCurve('Selene', {
  field: q,
  order: p,
  b: 0x38c40d10c226ef3bc597c2e1e25bc748e3401c3d031d14ca2265f309ba81efe4n,
  Gy: 0x39098c0a54bd9d2781c7d734720d5ca639ee79deeefcd74517fced93ad6635c0n,
});

const SIGN_BIT = 1n << 255n;

/**
 * Whether 32 zero bytes, the encoding of the identity, are taken in a proof or as a root.
 *
 * They are not. Upstream's library reads them as a projective point that is not on the curve, and refuses such proofs
 * because its sums then fail, not because it looks for them. True arithmetic would accept, say, S = identity in a proof whose
 * prover leaves out its blinding vectors, and would so accept what the network refuses. The draft of April 2026 that corrects
 * Generalized Bulletproofs demands the same of commitments. Change this only if upstream does. All backends ask it.
 */
export const IDENTITY_IN_PROOFS: 'refused' | 'taken' = 'refused';

/**
 * Returns the point of 32 bytes: x, little-endian, in bits 0 to 254, and whether y is odd in bit 255. Throws `RefusedProof` if
 * x is not below the prime or belongs to no point, and for zero with the sign bit; also for the identity, 32 zero bytes, unless
 * it is to be `taken`. A point has no second encoding. `takeRoot` is a backend's square root. Source: `from_bytes` in monero-oxide, crypto/helioselene/src/point.rs.
 */
export function decodePoint(
  curve: CycleCurve,
  bytes: Uint8Array,
  identity: typeof IDENTITY_IN_PROOFS = IDENTITY_IN_PROOFS,
  takeRoot: typeof squareRoot = squareRoot,
): CyclePoint {
  const value = bytesToNumberLE(bytes);
  if (value === 0n) {
    if (identity === 'taken') return curve.Point.ZERO;
    throw new RefusedProof('the identity in a proof');
  }
  const odd = (value & SIGN_BIT) !== 0n;
  const x = odd ? value ^ SIGN_BIT : value;
  if (x === 0n) throw new RefusedProof('the identity with a sign');
  if (x >= curve.field) throw new RefusedProof('x is not reduced');
  const y = takeRoot(rightSide(curve, x), curve.field);
  if (y === undefined) throw new RefusedProof('no point has this x');
  const isOdd = (y & 1n) === 1n;
  return curve.Point.fromAffine({ x, y: isOdd === odd ? y : curve.field - y });
}

/** Returns x³ + a·x + b modulo the prime of the coordinates. */
export function rightSide({ a, b, field }: ShortWeierstrass, x: bigint): bigint {
  return mod(((x * x + a) % field) * x + b, field);
}

/** Returns the 32 bytes of a point; those of the identity are zero. */
export function encodePoint(point: CyclePoint): Uint8Array {
  if (point.is0()) return new Uint8Array(ELEMENT_BYTES);
  const { x, y } = point.toAffine();
  return elementBytes((y & 1n) === 1n ? x | SIGN_BIT : x);
}
