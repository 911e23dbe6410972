/** Reading Bulletproofs: their layout in memory, their points and their transcript. */

import { hashToScalar } from './hash-to-scalar.ts';
import { encodedQuotient, readQuotients } from './quotients.ts';
import { areScalars, MAX_ROUNDS, outputsOf, readPoints, roundsOf } from './range-proof.ts';
import { copy, isZero, setSmall } from './scalar.ts';

/**
 * A proof as the caller lays it out in memory, in elements of 32 bytes: sizes (see range-proof.ts), two random weights in
 * [1, l), taux, mu, t, a, b, A, S, T1, T2, the output commitments, L_0, R_0, L_1, R_1, …
 */
export const POLYNOMIAL_WEIGHT: usize = 32;
export const PRODUCT_WEIGHT: usize = 64;
export const TAUX: usize = 96;
export const MU: usize = 128;
export const INNER_PRODUCT: usize = 160;
export const LEFT_SCALAR: usize = 192;
export const RIGHT_SCALAR: usize = 224;
const A: usize = 256;
const T1: usize = 320;
const COMMITMENTS: usize = 384;

/** Bytes of a proof in memory. */
export function bulletproofSize(outputs: i32, rounds: i32): usize {
  return COMMITMENTS + 32 * <usize>(outputs + 2 * rounds);
}

/** The proof after this one. */
export function nextProof(proof: usize): usize {
  return proof + bulletproofSize(outputsOf(proof), roundsOf(proof));
}

/** Checks the scalars of a proof and adds its points to the sum, in the order of the proof; its V_j from `first` on. */
export function readProof(proof: usize, first: i32): bool {
  const commitments = proof + COMMITMENTS;
  const outputs = outputsOf(proof);
  return (
    areScalars(proof + TAUX, proof + A) &&
    readPoints(proof + A, commitments) &&
    readQuotients(commitments, first, outputs) &&
    readPoints(commitments + 32 * <usize>outputs, nextProof(proof))
  );
}

/** The challenges of one proof, in elements of 32 bytes: y, z, x, that for the inner product, then w_0 … w_9, unused ones 1. */
export const Y_CHALLENGE: usize = 0;
export const Z_CHALLENGE: usize = 32;
export const X_CHALLENGE: usize = 64;
export const PRODUCT_CHALLENGE: usize = 96;
export const W_CHALLENGES: usize = 128;
export const CHALLENGES: i32 = 4 + MAX_ROUNDS;
export const CHALLENGES_SIZE: usize = 32 * CHALLENGES;

/** The running hash and what is hashed onto it: up to four elements. */
const TRANSCRIPT: usize = memory.data(160, 16);
const APPENDED: usize = TRANSCRIPT + 32;

/** Hashes the `length` bytes after the running hash onto it, and makes the new state a challenge. */
function challenge(r: usize, length: usize): bool {
  hashToScalar(TRANSCRIPT, TRANSCRIPT, 32 + length);
  copy(r, TRANSCRIPT);
  return !isZero(r);
}

/** Rebuilds the challenges of a proof whose V_j are those from `first` on; false if one of them is 0. */
export function readChallenges(r: usize, proof: usize, first: i32): bool {
  const outputs = outputsOf(proof);
  hashToScalar(TRANSCRIPT, encodedQuotient(first), 32 * <usize>outputs);
  memory.copy(APPENDED, proof + A, 64); // A and S
  if (!challenge(r + Y_CHALLENGE, 64) || !challenge(r + Z_CHALLENGE, 0)) return false;
  // z and x are hashed once more although they are the state.
  copy(APPENDED, r + Z_CHALLENGE);
  memory.copy(APPENDED + 32, proof + T1, 64); // T1 and T2
  if (!challenge(r + X_CHALLENGE, 96)) return false;
  copy(APPENDED, r + X_CHALLENGE);
  memory.copy(APPENDED + 32, proof + TAUX, 96); // taux, mu and t
  if (!challenge(r + PRODUCT_CHALLENGE, 128)) return false;

  const rounds = roundsOf(proof);
  let pair = proof + COMMITMENTS + 32 * <usize>outputs;
  for (let j = 0; j < MAX_ROUNDS; j++) {
    const w = r + W_CHALLENGES + 32 * <usize>j;
    if (j >= rounds) {
      setSmall(w, 1);
      continue;
    }
    memory.copy(APPENDED, pair, 64);
    if (!challenge(w, 64)) return false;
    pair += 64;
  }
  return true;
}
