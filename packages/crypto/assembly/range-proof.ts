/** The common parts of Bulletproofs and Bulletproofs+: limits, layout, and the sum that must vanish. */

import { addPackedTerm, begin, evaluate } from './combination.ts';
import {
  G_WIDTH,
  GENERATOR_WIDTH,
  MAX_PAIRS,
  packedGenerator,
  TABLE_PAIRS,
  tableOfG,
  tableOfGenerator,
  tableOfH,
} from './generators.ts';
import { allocate } from './memory.ts';
import {
  addToCombination,
  isSmall,
  nextPoint,
  nextScalar,
  sumWithBuckets,
} from './multi-exponentiation.ts';
import { addPoints, isIdentity, multiplyByCofactor, PACKED_POINT_SIZE } from './point.ts';
import { decodePoint } from './point-codec.ts';
import { copy, isCanonical, setSmall } from './scalar.ts';
import { packAffine } from './tables.ts';

/** Most proofs of one batch. */
export const MAX_PROOFS: i32 = 256;
export const MAX_OUTPUTS: i32 = 16;
export const MAX_ROUNDS: i32 = 10;
export const RANGE_BITS: i32 = 64;
/** log2(RANGE_BITS): the rounds of a proof over a single output. */
export const ROUNDS_FOR_ONE: i32 = 6;

/**
 * A proof in memory starts with an element of 32 bytes for two 32-bit words, the number of outputs and that of rounds.
 * The caller has checked that there are 1 to 16 outputs and 6 + log2(outputs, rounded up) rounds.
 */
export function outputsOf(proof: usize): i32 {
  return load<i32>(proof);
}

export function roundsOf(proof: usize): i32 {
  return load<i32>(proof, 4);
}

/** True if the elements from `from` to `to` are all canonical scalars. */
export function areScalars(from: usize, to: usize): bool {
  for (let at = from; at < to; at += 32) if (!isCanonical(at)) return false;
  return true;
}

const POINT: usize = memory.data(288, 16);

/** Adds the points encoded from `from` to `to` to the sum; false if one does not decode. */
export function readPoints(from: usize, to: usize): bool {
  for (let at = from; at < to; at += 32) {
    if (!decodePoint(POINT, at)) return false;
    packAffine(nextPoint(), POINT);
  }
  return true;
}

/** Scalars of the vector generators, in the order of generators.ts: h_0, g_0, h_1, g_1, … */
let vectorScalars: usize = 0;

// Scalars of G and H.
export const G_SCALAR: usize = memory.data(32, 16);
export const H_SCALAR: usize = memory.data(32, 16);

/** Reserves memory. */
export function setUpRangeProofs(): void {
  vectorScalars = allocate(<usize>(2 * MAX_PAIRS) * 32);
}

/** Sets the scalars of all generators to 0. */
export function clearGeneratorScalars(pairs: i32): void {
  memory.fill(vectorScalars, 0, 64 * <usize>pairs);
  setSmall(G_SCALAR, 0);
  setSmall(H_SCALAR, 0);
}

/** Returns the address of the scalar of H_i; that of G_i follows it. */
export function vectorScalar(i: i32): usize {
  return vectorScalars + 64 * <usize>i;
}

const TOTAL: usize = memory.data(288, 16);
const BUCKET_SUM: usize = memory.data(288, 16);

/**
 * True if 8 times the sum over the proofs' own points (multi-exponentiation.ts) and the generators, of which `pairs`
 * pairs of the given family take part, is the identity. The rule multiplies every published point by 8; doing it once
 * at the end is the same, as long as the scalars of generators, which have no torsion, have been divided by 8.
 */
export function sumVanishes(family: i32, pairs: i32): bool {
  for (let i = 2 * TABLE_PAIRS; i < 2 * pairs; i++) {
    memory.copy(nextPoint(), packedGenerator(family, i), PACKED_POINT_SIZE);
    copy(nextScalar(), vectorScalars + 32 * <usize>i);
  }
  begin();
  addPackedTerm(G_SCALAR, tableOfG(), G_WIDTH);
  addPackedTerm(H_SCALAR, tableOfH(), GENERATOR_WIDTH);
  for (let i = 0; i < 2 * min(pairs, TABLE_PAIRS); i++) {
    const table = tableOfGenerator(family, i);
    addPackedTerm(vectorScalars + 32 * <usize>i, table, GENERATOR_WIDTH);
  }
  if (isSmall()) {
    addToCombination();
    evaluate(TOTAL, true);
  } else {
    evaluate(TOTAL, true);
    sumWithBuckets(BUCKET_SUM);
    addPoints(TOTAL, TOTAL, BUCKET_SUM);
  }
  multiplyByCofactor(TOTAL, TOTAL);
  return isIdentity(TOTAL);
}
