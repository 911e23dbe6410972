import { decodePoint, decodePoints, encodePoints, type Point } from '../curve/point.ts';
import { decodeScalar, INV_EIGHT } from '../curve/scalar.ts';
import { BulletproofPlusTranscript } from '../proofs/bulletproof-plus-transcript.ts';
import { paddedOutputCount } from '../proofs/shapes.ts';
import type { BulletproofPlusProof } from '../types.ts';
import { timesEight } from './range-proof.ts';

/** A proof with its points decoded and multiplied by 8, its scalars checked and its challenges rebuilt. */
export interface PreparedProof {
  /** Number of amounts after padding to a power of two. */
  readonly paddedOutputs: number;
  readonly V8: readonly Point[];
  readonly A8: Point;
  readonly A1_8: Point;
  readonly B8: Point;
  readonly L8: readonly Point[];
  readonly R8: readonly Point[];
  readonly r1: bigint;
  readonly s1: bigint;
  readonly d1: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly e: bigint;
  /** Inner-product challenges, one per round. */
  readonly w: readonly bigint[];
}

/**
 * Reads a proof with all sanity checks of upstream's parser and verifier; returns undefined if one fails.
 * Source: bulletproof_plus_VERIFY in src/ringct/bulletproofs_plus.cc.
 */
export function prepareProof(proof: BulletproofPlusProof): PreparedProof | undefined {
  const paddedOutputs = paddedOutputCount(proof);
  if (paddedOutputs === undefined) return undefined;

  const r1 = decodeScalar(proof.r1);
  const s1 = decodeScalar(proof.s1);
  const d1 = decodeScalar(proof.d1);
  if (r1 === undefined || s1 === undefined || d1 === undefined) return undefined;

  const A = decodePoint(proof.A);
  const A1 = decodePoint(proof.A1);
  const B = decodePoint(proof.B);
  const L = decodePoints(proof.L);
  const R = decodePoints(proof.R);
  const commitments = decodePoints(proof.commitments);
  if (!A || !A1 || !B || !L || !R || !commitments) return undefined;

  // The integer 8^-1 mod l multiplies the commitment even where that has torsion: the result is hashed.
  const V = commitments.map((commitment) => commitment.multiplyUnsafe(INV_EIGHT));
  const transcript = new BulletproofPlusTranscript(encodePoints(V));
  const { y, z } = transcript.appendA(proof.A);
  const w = proof.L.map((left, round) => transcript.append(left, proof.R[round] as Uint8Array));
  const e = transcript.append(proof.A1, proof.B);
  if ([y, z, e, ...w].includes(0n)) return undefined;

  const [A8, A1_8, B8] = timesEight([A, A1, B]) as [Point, Point, Point];
  return {
    paddedOutputs,
    r1,
    s1,
    d1,
    y,
    z,
    e,
    w,
    A8,
    A1_8,
    B8,
    V8: timesEight(V),
    L8: timesEight(L),
    R8: timesEight(R),
  };
}
