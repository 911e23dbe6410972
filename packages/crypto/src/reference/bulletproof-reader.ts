import { decodePoint, decodePoints, encodePoints, type Point } from '../curve/point.ts';
import { decodeScalars, INV_EIGHT } from '../curve/scalar.ts';
import {
  type BulletproofChallenges,
  bulletproofChallenges,
} from '../proofs/bulletproof-transcript.ts';
import { paddedOutputCount } from '../proofs/shapes.ts';
import type { BulletproofProof } from '../types.ts';
import { timesEight } from './range-proof.ts';

/** A proof with its points decoded and multiplied by 8, its scalars checked and its challenges rebuilt. */
export interface PreparedBulletproof extends BulletproofChallenges {
  /** Number of amounts after padding to a power of two. */
  readonly paddedOutputs: number;
  readonly V8: readonly Point[];
  readonly A8: Point;
  readonly S8: Point;
  readonly T1_8: Point;
  readonly T2_8: Point;
  readonly L8: readonly Point[];
  readonly R8: readonly Point[];
  readonly taux: bigint;
  readonly mu: bigint;
  readonly a: bigint;
  readonly b: bigint;
  readonly t: bigint;
}

/**
 * Reads a proof with all sanity checks of upstream's parser and verifier; returns undefined if one fails.
 * Source: bulletproof_VERIFY in src/ringct/bulletproofs.cc.
 */
export function prepareBulletproof(proof: BulletproofProof): PreparedBulletproof | undefined {
  const paddedOutputs = paddedOutputCount(proof);
  if (paddedOutputs === undefined) return undefined;

  const scalars = decodeScalars([proof.taux, proof.mu, proof.a, proof.b, proof.t]);
  const A = decodePoint(proof.A);
  const S = decodePoint(proof.S);
  const T1 = decodePoint(proof.T1);
  const T2 = decodePoint(proof.T2);
  const L = decodePoints(proof.L);
  const R = decodePoints(proof.R);
  const commitments = decodePoints(proof.commitments);
  if (!scalars || !A || !S || !T1 || !T2 || !L || !R || !commitments) return undefined;

  // The integer 8^-1 mod l multiplies the commitment even where that has torsion: the result is hashed.
  const V = commitments.map((commitment) => commitment.multiplyUnsafe(INV_EIGHT));
  const challenges = bulletproofChallenges(encodePoints(V), proof);
  const { y, z, x, xip, w } = challenges;
  if ([y, z, x, xip, ...w].includes(0n)) return undefined;

  const [taux, mu, a, b, t] = scalars as [bigint, bigint, bigint, bigint, bigint];
  return {
    ...challenges,
    paddedOutputs,
    taux,
    mu,
    a,
    b,
    t,
    A8: A.clearCofactor(),
    S8: S.clearCofactor(),
    T1_8: T1.clearCofactor(),
    T2_8: T2.clearCofactor(),
    V8: timesEight(V),
    L8: timesEight(L),
    R8: timesEight(R),
  };
}
