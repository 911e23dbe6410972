import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { decodePoint, encodePoints, G, Point } from '../curve/point.ts';
import { decodeScalar, Fn, hashToScalar } from '../curve/scalar.ts';
import type { RingSignatureProof } from '../types.ts';
import type { RingMemberCache } from './ring-member-cache.ts';

/**
 * Verifies one ring signature of a version 1 transaction (van Saberhagen, "CryptoNote v 2.0", section 4.4): the
 * challenges of all members add up to the hash of all their commitments. Source: check_ring_signature in
 * src/crypto/crypto.cpp.
 */
export function verifyRingSignature(proof: RingSignatureProof, cache: RingMemberCache): boolean {
  const { message, ring, signatures } = proof;
  const keyImage = decodePoint(proof.keyImage);
  if (!keyImage || message.length !== 32 || signatures.length !== ring.length) return false;

  const points: Point[] = [];
  let sum = 0n;
  for (const [i, key] of ring.entries()) {
    const signature = signatures[i] as Uint8Array;
    const c = decodeScalar(signature.subarray(0, 32));
    const r = decodeScalar(signature.subarray(32));
    const ringKey = cache.lookup(key);
    if (c === undefined || r === undefined || !ringKey) return false;
    points.push(ringKey.point.multiplyUnsafe(c).add(G.multiplyUnsafe(r)));
    points.push(mulAddUnsafe(Point, [ringKey.hashed, keyImage], [r, c]));
    sum = Fn.add(sum, c);
  }
  return sum === hashToScalar(message, ...encodePoints(points));
}
