import type { Point } from '../curve/point.ts';
import { MAX_OUTPUTS } from '../proofs/bulletproof-generators.ts';

/** log2(64): the rounds of a proof over a single amount. */
const ROUNDS_FOR_ONE = 6;

/** The number of amounts after padding to a power of two, or undefined if the lists of a proof do not fit together. */
export function paddedOutputCount(proof: {
  readonly commitments: readonly Uint8Array[];
  readonly L: readonly Uint8Array[];
  readonly R: readonly Uint8Array[];
}): number | undefined {
  const outputs = proof.commitments.length;
  const rounds = proof.L.length;
  if (outputs < 1 || outputs > MAX_OUTPUTS || proof.R.length !== rounds) return undefined;
  if (rounds < ROUNDS_FOR_ONE || rounds > ROUNDS_FOR_ONE + 4) return undefined;
  const padded = 2 ** (rounds - ROUNDS_FOR_ONE);
  return outputs <= padded && 2 * outputs > padded ? padded : undefined;
}

/** Published points are divided by 8, which takes torsion out of the equation when it is undone. */
export function timesEight(points: readonly Point[]): Point[] {
  return points.map((point) => point.clearCofactor());
}
