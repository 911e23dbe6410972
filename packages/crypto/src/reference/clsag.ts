import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { decodePoint, encodePoints, G, Point } from '../curve/point.ts';
import { decodeScalar, decodeScalars, Fn } from '../curve/scalar.ts';
import { aggregationCoefficients, challengeHash } from '../proofs/clsag-hashes.ts';
import type { ClsagProof } from '../types.ts';
import type { RingMemberCache } from './ring-member-cache.ts';

function hasValidSizes(proof: ClsagProof): boolean {
  const fixed = [proof.message, proof.pseudoOut, proof.keyImage, proof.D];
  return (
    proof.ring.length >= 1 &&
    proof.s.length === proof.ring.length &&
    fixed.every((bytes) => bytes.length === 32) &&
    proof.ring.every((member) => member.key.length === 32 && member.commitment.length === 32)
  );
}

/**
 * Verifies one CLSAG (Goodell, Noether, "Concise linkable ring signatures"). Source: verRctCLSAGSimple in
 * src/ringct/rctSigs.cpp.
 *
 * The key image must decode and not be the identity; a separate rule (`isValidKeyImage`) says that it lies in
 * the prime-order subgroup. D may have torsion, but 8·D must not be the identity. With torsion in a ring member
 * or key image the scalars count as integers below l, so c·mu is reduced before it multiplies a point, and the
 * terms are never folded together.
 */
export function verifyClsag(proof: ClsagProof, cache: RingMemberCache): boolean {
  if (!hasValidSizes(proof)) return false;
  const responses = decodeScalars(proof.s);
  const c1 = decodeScalar(proof.c1);
  const pseudoOut = decodePoint(proof.pseudoOut);
  const keyImage = decodePoint(proof.keyImage);
  const D = decodePoint(proof.D);
  if (!responses || c1 === undefined || !pseudoOut || !keyImage || !D) return false;
  const D8 = D.clearCofactor();
  if (keyImage.is0() || D8.is0()) return false;

  const { muP, muC } = aggregationCoefficients(proof);
  const nextChallenge = challengeHash(proof);
  let challenge = c1;
  for (const [i, member] of proof.ring.entries()) {
    const ringKey = cache.lookup(member.key);
    const commitment = decodePoint(member.commitment);
    const s = responses[i];
    if (!ringKey || !commitment || s === undefined) return false;

    const keyFactor = Fn.mul(challenge, muP);
    const commitmentFactor = Fn.mul(challenge, muC);
    const left = mulAddUnsafe(
      Point,
      [ringKey.point, commitment.subtract(pseudoOut)],
      [keyFactor, commitmentFactor],
    ).add(G.multiplyUnsafe(s)); // G has its own table of multiples
    const right = mulAddUnsafe(
      Point,
      [ringKey.hashed, keyImage, D8],
      [s, keyFactor, commitmentFactor],
    );
    const [leftBytes, rightBytes] = encodePoints([left, right]) as [Uint8Array, Uint8Array];
    challenge = nextChallenge(leftBytes, rightBytes);
    if (challenge === 0n) return false;
  }
  return challenge === c1;
}
