import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { decodePoints, encodePoints, G, Point } from '../curve/point.ts';
import { decodeScalar, decodeScalars, hashToScalar } from '../curve/scalar.ts';
import type { MlsagProof } from '../types.ts';
import type { RingMemberCache } from './ring-member-cache.ts';

const FEE_LIMIT = 2n ** 64n;

/** Returns whether the matrices of members and of scalars have the sizes that fit the key images. */
function hasValidSizes({ message, ring, keyImages, ss, fee }: MlsagProof): boolean {
  const inputs = keyImages.length;
  return (
    message.length === 32 &&
    ring.length >= 2 &&
    inputs >= 1 &&
    ring.every((column) => column.length === inputs) &&
    ss.length === ring.length &&
    ss.every((column) => column.length === inputs + 1) &&
    fee >= 0n &&
    fee < FEE_LIMIT
  );
}

function sumOf(points: readonly Point[]): Point {
  return points.reduce((sum, point) => sum.add(point), Point.ZERO);
}

/** Returns the points of the last row, one for each position: the sum of its commitments less the offsets and fee·H. */
function differences(proof: MlsagProof, H: Point): Point[] | undefined {
  const offsets = decodePoints(proof.offsets);
  if (!offsets) return undefined;
  const offset = sumOf(offsets).add(H.multiplyUnsafe(proof.fee));
  const result: Point[] = [];
  for (const column of proof.ring) {
    const commitments = decodePoints(column.map((member) => member.commitment));
    if (!commitments) return undefined;
    result.push(sumOf(commitments).subtract(offset));
  }
  return result;
}

/** Returns the next challenge, from that of a position and its scalars, or undefined if a key there is not a point. */
function nextChallenge(
  proof: MlsagProof,
  position: { index: number; difference: Point; keyImages: readonly Point[] },
  challenge: bigint,
  scalars: readonly bigint[],
  cache: RingMemberCache,
): bigint | undefined {
  const { index, difference, keyImages } = position;
  const members = proof.ring[index] as MlsagProof['ring'][0];
  const points: Point[] = [];
  for (const [j, keyImage] of keyImages.entries()) {
    const ringKey = cache.lookup((members[j] as (typeof members)[0]).key);
    if (!ringKey) return undefined;
    const s = scalars[j] as bigint;
    points.push(G.multiplyUnsafe(s).add(ringKey.point.multiplyUnsafe(challenge)));
    points.push(mulAddUnsafe(Point, [ringKey.hashed, keyImage], [s, challenge]));
  }
  const last = G.multiplyUnsafe(scalars[keyImages.length] as bigint);
  points.push(difference, last.add(difference.multiplyUnsafe(challenge)));

  const encoded = encodePoints(points);
  const hashed = members.flatMap(({ key }, j) => [key, ...encoded.slice(2 * j, 2 * j + 2)]);
  return hashToScalar(proof.message, ...hashed, ...encoded.slice(-2));
}

/**
 * Verifies one MLSAG (Noether, "Ring Confidential Transactions"). The row of each input is linked to its key
 * image; the last row is the difference of commitments. Source: MLSAG_Ver, called by verRctMG and
 * verRctMGSimple, in src/ringct/rctSigs.cpp.
 */
export function verifyMlsag(proof: MlsagProof, H: Point, cache: RingMemberCache): boolean {
  if (!hasValidSizes(proof)) return false;
  const cc = decodeScalar(proof.cc);
  const keyImages = decodePoints(proof.keyImages);
  const lastRow = differences(proof, H);
  if (cc === undefined || !keyImages || !lastRow) return false;
  if (keyImages.some((keyImage) => keyImage.is0())) return false;

  let challenge = cc;
  for (const [index, difference] of lastRow.entries()) {
    const scalars = decodeScalars(proof.ss[index] as Uint8Array[]);
    if (!scalars) return false;
    const position = { index, difference, keyImages };
    const next = nextChallenge(proof, position, challenge, scalars, cache);
    if (next === undefined || next === 0n) return false;
    challenge = next;
  }
  return challenge === cc;
}
