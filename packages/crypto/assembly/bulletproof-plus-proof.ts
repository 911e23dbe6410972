/** Reading Bulletproof+ proofs: their layout in memory, their points and their transcript. */

import { addSmallTerm, begin, evaluate } from './combination.ts';
import { invertAll } from './field-power.ts';
import { hashToPoint } from './hash-to-point.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { keccak256 } from './keccak.ts';
import { FIELD_SIZE } from './limbs.ts';
import { allocate, writeAscii } from './memory.ts';
import { nextPoint } from './multi-exponentiation.ts';
import { POINT_SIZE, Z } from './point.ts';
import { decodePoint, encodePoint, encodeWithInverse } from './point-codec.ts';
import { copy, invert, isCanonical, isZero, setSmall } from './scalar.ts';
import { fillSmallTable, packAffine, packWithInverse, SMALL_TABLE_SIZE } from './tables.ts';

/**
 * A proof as the caller lays it out in memory, in elements of 32 bytes: two 32-bit words (number of outputs, number of
 * rounds), a random weight in [1, l), r1, s1, d1, A, A1, B, the output commitments, L_0, R_0, L_1, R_1, …
 * The caller has checked that there are 1 to 16 outputs and 6 + log2(outputs, rounded up) rounds.
 */
export const WEIGHT: usize = 32;
export const R1: usize = 64;
export const S1: usize = 96;
export const D1: usize = 128;
const A: usize = 160;
const A1: usize = 192;
const COMMITMENTS: usize = 256;

export function outputsOf(proof: usize): i32 {
  return load<i32>(proof);
}

export function roundsOf(proof: usize): i32 {
  return load<i32>(proof, 4);
}

/** Bytes of a proof in memory. */
export function proofSize(outputs: i32, rounds: i32): usize {
  return COMMITMENTS + 32 * <usize>(outputs + 2 * rounds);
}

/** The proof after this one. */
export function nextProof(proof: usize): usize {
  return proof + proofSize(outputsOf(proof), roundsOf(proof));
}

/** Most proofs of one batch. */
export const MAX_PROOFS: i32 = 256;
const MAX_OUTPUTS: i32 = 16;
const MAX_ROUNDS: i32 = 10;

/** The challenges of one proof, in elements of 32 bytes: y, z, e, then w_0 … w_9, of which unused ones are 1. */
export const Y_CHALLENGE: usize = 0;
export const Z_CHALLENGE: usize = 32;
export const E_CHALLENGE: usize = 64;
export const W_CHALLENGES: usize = 96;
export const CHALLENGES: i32 = 3 + MAX_ROUNDS;
export const CHALLENGES_SIZE: usize = 32 * CHALLENGES;

let quotients: usize = 0; // V_j of all proofs, projective
let quotientBytes: usize = 0; // their encodings
let quotientPlaces: usize = 0; // where the sum wants them
let products: usize = 0; // scratch for their inversion
let smallTable: usize = 0;

/** 8^-1 modulo l, as an integer: it multiplies commitments even where they have torsion. */
export const ONE_EIGHTH: usize = memory.data(32, 16);
/** encode(Hp(K("bulletproof_plus_transcript"))): where every transcript starts. */
const INITIAL_STATE: usize = memory.data(32, 16);
/** The running hash and what is hashed onto it. */
const TRANSCRIPT: usize = memory.data(96, 16);
const POINT: usize = memory.data(288, 16);

/** Reserves memory and computes constants. */
export function setUpProofs(): void {
  const outputs = <usize>(MAX_PROOFS * MAX_OUTPUTS);
  quotients = allocate(outputs * POINT_SIZE);
  quotientBytes = allocate(outputs * 32);
  quotientPlaces = allocate(outputs * 4);
  products = allocate(outputs * FIELD_SIZE);
  smallTable = allocate(SMALL_TABLE_SIZE);

  setSmall(ONE_EIGHTH, 8);
  invert(ONE_EIGHTH, ONE_EIGHTH);
  const length = writeAscii(TRANSCRIPT, 'bulletproof_plus_transcript');
  keccak256(TRANSCRIPT, TRANSCRIPT, length);
  hashToPoint(POINT, TRANSCRIPT, 32);
  encodePoint(INITIAL_STATE, POINT);
}

/** Adds the points of a list of encodings to the sum; false if one does not decode. */
function readPoints(from: usize, to: usize): bool {
  for (let at = from; at < to; at += 32) {
    if (!decodePoint(POINT, at)) return false;
    packAffine(nextPoint(), POINT);
  }
  return true;
}

/**
 * Decodes all points of a proof into the sum, in the order of the proof; V_j = commitment/8 is only computed yet, as the
 * `first` + j-th of all, its place in the sum left open.
 */
export function readProof(proof: usize, first: i32): bool {
  if (!isCanonical(proof + R1) || !isCanonical(proof + S1) || !isCanonical(proof + D1))
    return false;
  const commitments = proof + COMMITMENTS;
  if (!readPoints(proof + A, commitments)) return false;
  const outputs = outputsOf(proof);
  for (let j = 0; j < outputs; j++) {
    if (!decodePoint(POINT, commitments + 32 * <usize>j)) return false;
    fillSmallTable(smallTable, POINT);
    begin();
    addSmallTerm(ONE_EIGHTH, smallTable);
    evaluate(quotients + <usize>(first + j) * POINT_SIZE);
    store<u32>(quotientPlaces + 4 * <usize>(first + j), <u32>nextPoint());
  }
  return readPoints(commitments + 32 * <usize>outputs, nextProof(proof));
}

/** Encodes the V_j of all proofs and puts them into the sum. */
export function finishQuotients(count: i32): void {
  invertAll(quotients + Z, POINT_SIZE, count, products);
  for (let i = 0; i < count; i++) {
    const point = quotients + <usize>i * POINT_SIZE;
    encodeWithInverse(quotientBytes + 32 * <usize>i, point, point + Z);
    packWithInverse(<usize>load<u32>(quotientPlaces + 4 * <usize>i), point, point + Z);
  }
}

/** Hashes `length` bytes, which stand behind it, onto the running hash, and makes the new state a challenge. */
function challenge(r: usize, length: usize): bool {
  hashToScalar(TRANSCRIPT, TRANSCRIPT, 32 + length);
  copy(r, TRANSCRIPT);
  return !isZero(r);
}

/** Rebuilds the challenges of a proof whose V_j are those from `first` on; false if one of them is 0. */
export function readChallenges(r: usize, proof: usize, first: i32): bool {
  const outputs = outputsOf(proof);
  const appended = TRANSCRIPT + 32;
  copy(TRANSCRIPT, INITIAL_STATE);
  hashToScalar(appended, quotientBytes + 32 * <usize>first, 32 * <usize>outputs);
  challenge(r, 32); // only a state
  copy(appended, proof + A);
  if (!challenge(r + Y_CHALLENGE, 32) || !challenge(r + Z_CHALLENGE, 0)) return false;
  const rounds = roundsOf(proof);
  let pair = proof + COMMITMENTS + 32 * <usize>outputs;
  for (let j = 0; j < MAX_ROUNDS; j++) {
    const w = r + W_CHALLENGES + 32 * <usize>j;
    if (j >= rounds) {
      setSmall(w, 1);
      continue;
    }
    memory.copy(appended, pair, 64);
    if (!challenge(w, 64)) return false;
    pair += 64;
  }
  memory.copy(appended, proof + A1, 64); // A1 and B
  return challenge(r + E_CHALLENGE, 64);
}
