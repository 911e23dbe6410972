/**
 * Verification of Borromean range proofs (Noether, "Ring Confidential Transactions"; upstream `verRange` and
 * `verifyBorromean`): each of 64 points commits to 0 or 2^i, and together they are the commitment.
 */

import { addSlidTerm, addSmallTerm, begin, evaluate } from './combination.ts';
import { invertAll } from './field-power.ts';
import { H, tableOfG } from './generators.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { FIELD_SIZE } from './limbs.ts';
import { allocate } from './memory.ts';
import {
  addPoints,
  double,
  POINT_SIZE,
  setIdentity,
  subtractCached,
  toCached,
  toExtended,
  Z,
} from './point.ts';
import { decodePoint, encodeWithInverse, isSamePoint } from './point-codec.ts';
import { copy, isCanonical, isEqual } from './scalar.ts';
import { fillSmallTable, SMALL_TABLE_SIZE } from './tables.ts';

const BITS: i32 = 64;

/** A proof as the caller lays it out in memory, in elements of 32 bytes: commitment, ee, s0[64], s1[64], Ci[64]. */
const EE: usize = 32;
const S0: usize = 64;
const S1: usize = S0 + 32 * BITS;
const CI: usize = S1 + 32 * BITS;
/** Bytes of a proof in memory. */
export const BORROMEAN_SIZE: usize = CI + 32 * BITS;

let powers: usize = 0; // 2^i·H, cached
let points: usize = 0; // C_i, then C_i - 2^i·H
let sums: usize = 0; // s·G + e·C of one side
let products: usize = 0; // scratch for their inversion
let table: usize = 0;
let challenges: usize = 0; // for each bit; first ee for all of them
let encodings: usize = 0;

const POINT: usize = memory.data(288, 16);
const TOTAL: usize = memory.data(288, 16);

/** Reserves memory and computes 2^i·H. */
export function setUpBorromean(): void {
  powers = allocate(<usize>BITS * POINT_SIZE);
  points = allocate(<usize>BITS * POINT_SIZE);
  sums = allocate(<usize>BITS * POINT_SIZE);
  products = allocate(<usize>BITS * FIELD_SIZE);
  table = allocate(SMALL_TABLE_SIZE);
  challenges = allocate(<usize>BITS * 32);
  encodings = allocate(<usize>BITS * 32);
  memory.copy(POINT, H, POINT_SIZE);
  for (let i = 0; i < BITS; i++) {
    toCached(powers + <usize>i * POINT_SIZE, POINT);
    double(POINT);
    toExtended(POINT);
  }
}

/** Decodes all C_i and compares their sum with the commitment. */
function readPoints(proof: usize): bool {
  setIdentity(TOTAL);
  for (let i = 0; i < BITS; i++) {
    const point = points + <usize>i * POINT_SIZE;
    if (!decodePoint(point, proof + CI + 32 * <usize>i)) return false;
    addPoints(TOTAL, TOTAL, point);
  }
  return decodePoint(POINT, proof) && isSamePoint(TOTAL, POINT);
}

/** Encodes s_i·G + challenge_i·point_i for every bit; the 256 bits of s_i count as upstream's recoding has them. */
function encodeSums(scalars: usize): void {
  for (let i = 0; i < BITS; i++) {
    const at: usize = 32 * <usize>i;
    fillSmallTable(table, points + <usize>i * POINT_SIZE);
    begin();
    addSlidTerm(scalars + at, tableOfG());
    addSmallTerm(challenges + at, table);
    evaluate(sums + <usize>i * POINT_SIZE);
  }
  invertAll(sums + Z, POINT_SIZE, BITS, products);
  for (let i = 0; i < BITS; i++) {
    const sum = sums + <usize>i * POINT_SIZE;
    encodeWithInverse(encodings + 32 * <usize>i, sum, sum + Z);
  }
}

const HASH: usize = memory.data(32, 16);

/** True if the proof, laid out as above, holds. The s0 and s1 need not be canonical. */
export function verifyBorromean(proof: usize): bool {
  if (!isCanonical(proof + EE) || !readPoints(proof)) return false;
  for (let i = 0; i < BITS; i++) copy(challenges + 32 * <usize>i, proof + EE);
  encodeSums(proof + S0);
  for (let i = 0; i < BITS; i++) {
    const at: usize = 32 * <usize>i;
    hashToScalar(challenges + at, encodings + at, 32);
    const point = points + <usize>i * POINT_SIZE;
    subtractCached(point, powers + <usize>i * POINT_SIZE);
    toExtended(point);
  }
  encodeSums(proof + S1);
  hashToScalar(HASH, encodings, 32 * BITS);
  return isEqual(HASH, proof + EE);
}
