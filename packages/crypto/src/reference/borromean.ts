import { bytesToNumberLE } from '@noble/curves/utils.js';
import { decodePoint, decodePoints, encodePoints, G, Point } from '../curve/point.ts';
import { decodeScalar, Fn, hashToScalar } from '../curve/scalar.ts';
import type { BorromeanProof } from '../types.ts';

const BITS = 64;

/** Largest digit of upstream's windows. */
const MAX_DIGIT = 15;
/** Bits that a window looks ahead. */
const REACH = 6;

/** Propagates a carry upwards from position `from`; like upstream, drops it past bit 255. */
function carryFrom(digits: number[], from: number): void {
  for (let k = from; k < 256; k++) {
    if (digits[k] === 0) {
      digits[k] = 1;
      return;
    }
    digits[k] = 0;
  }
}

/**
 * Returns the scalar, modulo l, by which upstream multiplies when given these 32 bytes, which need not be below
 * l. Recoding into signed windows loses a carry out of bit 255, so for values with the highest bits set the
 * result is 2^256 less than the integer in the bytes. Such proofs are on the chain. Source: slide in
 * src/crypto/crypto-ops.c.
 */
export function slidScalar(bytes: Uint8Array): bigint {
  const value = bytesToNumberLE(bytes);
  const digits = Array.from({ length: 256 }, (_, i) => Number((value >> BigInt(i)) & 1n));
  for (let i = 0; i < 256; i++) {
    if (digits[i] === 0) continue;
    for (let b = 1; b <= REACH && i + b < 256; b++) {
      if (digits[i + b] === 0) continue;
      const digit = digits[i] as number;
      const further = (digits[i + b] as number) << b;
      if (digit + further <= MAX_DIGIT) {
        digits[i] = digit + further;
        digits[i + b] = 0;
      } else if (digit - further >= -MAX_DIGIT) {
        digits[i] = digit - further;
        carryFrom(digits, i + b);
      } else {
        break;
      }
    }
  }
  return Fn.create(digits.reduceRight((sum, digit) => 2n * sum + BigInt(digit), 0n));
}

/** Returns the encodings of s·G + e·P at every bit. */
function commitments(
  scalars: readonly Uint8Array[],
  challenges: readonly bigint[],
  points: readonly Point[],
): Uint8Array[] {
  return encodePoints(
    points.map((point, i) =>
      G.multiplyUnsafe(slidScalar(scalars[i] as Uint8Array)).add(
        point.multiplyUnsafe(challenges[i] as bigint),
      ),
    ),
  );
}

function hasValidSizes({ commitment, s0, s1, ee, Ci }: BorromeanProof): boolean {
  return (
    [s0, s1, Ci].every((list) => list.length === BITS) &&
    [commitment, ee, ...s0, ...s1, ...Ci].every((bytes) => bytes.length === 32)
  );
}

/**
 * Verifies one Borromean range proof (Noether, "Ring Confidential Transactions", and Maxwell, Poelstra,
 * "Borromean Ring Signatures"): every C_i commits to 0 or 2^i, and their sum is the commitment. Source: verRange
 * and verifyBorromean in src/ringct/rctSigs.cpp.
 */
export function verifyBorromean(proof: BorromeanProof, H: Point): boolean {
  if (!hasValidSizes(proof)) return false;
  const ee = decodeScalar(proof.ee); // it is compared with a hash modulo l, so it must be canonical
  const points = decodePoints(proof.Ci);
  const commitment = decodePoint(proof.commitment);
  if (ee === undefined || !points || !commitment) return false;
  if (!points.reduce((sum, point) => sum.add(point), Point.ZERO).equals(commitment)) return false;

  const first = commitments(proof.s0, new Array<bigint>(BITS).fill(ee), points);
  let power = H;
  const shifted = points.map((point) => {
    const difference = point.subtract(power);
    power = power.double();
    return difference;
  });
  const challenges = first.map((bytes) => hashToScalar(bytes));
  return hashToScalar(...commitments(proof.s1, challenges, shifted)) === ee;
}
