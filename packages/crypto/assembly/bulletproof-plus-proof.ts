/** Reading Bulletproof+ proofs: their layout in memory, their points and their transcript. */

import { hashToPoint } from './hash-to-point.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { keccak256 } from '../../keccak/assembly/keccak.ts';
import { writeAscii } from './memory.ts';
import { encodePoint } from './point-codec.ts';
import { encodedQuotient, readQuotients } from './quotients.ts';
import { areScalars, MAX_ROUNDS, outputsOf, readPoints, roundsOf } from './range-proof.ts';
import { copy, isZero, setSmall } from './scalar.ts';

/**
 * A proof as the caller lays it out in memory, in elements of 32 bytes: sizes (see range-proof.ts), a random weight in
 * [1, l), r1, s1, d1, A, A1, B, the output commitments, L_0, R_0, L_1, R_1, …
 */
export const WEIGHT: usize = 32;
export const R1: usize = 64;
export const S1: usize = 96;
export const D1: usize = 128;
const A: usize = 160;
const A1: usize = 192;
const COMMITMENTS: usize = 256;

/** Bytes of a proof in memory. */
export function bulletproofPlusSize(outputs: i32, rounds: i32): usize {
  return COMMITMENTS + 32 * <usize>(outputs + 2 * rounds);
}

/** The proof after this one. */
export function nextProof(proof: usize): usize {
  return proof + bulletproofPlusSize(outputsOf(proof), roundsOf(proof));
}

/** The challenges of one proof, in elements of 32 bytes: y, z, e, then w_0 … w_9, of which unused ones are 1. */
export const Y_CHALLENGE: usize = 0;
export const Z_CHALLENGE: usize = 32;
export const E_CHALLENGE: usize = 64;
export const W_CHALLENGES: usize = 96;
export const CHALLENGES: i32 = 3 + MAX_ROUNDS;
export const CHALLENGES_SIZE: usize = 32 * CHALLENGES;

/** encode(Hp(K("bulletproof_plus_transcript"))): where every transcript starts. */
const INITIAL_STATE: usize = memory.data(32, 16);
/** The running hash and what is hashed onto it. */
const TRANSCRIPT: usize = memory.data(96, 16);
const POINT: usize = memory.data(288, 16);

/** Computes constants. */
export function setUpBulletproofPlusTranscript(): void {
  const length = writeAscii(TRANSCRIPT, 'bulletproof_plus_transcript');
  keccak256(TRANSCRIPT, TRANSCRIPT, length);
  hashToPoint(POINT, TRANSCRIPT, 32);
  encodePoint(INITIAL_STATE, POINT);
}

/** Checks the scalars of a proof and adds its points to the sum, in the order of the proof; its V_j from `first` on. */
export function readProof(proof: usize, first: i32): bool {
  const commitments = proof + COMMITMENTS;
  const outputs = outputsOf(proof);
  return (
    areScalars(proof + R1, proof + A) &&
    readPoints(proof + A, commitments) &&
    readQuotients(commitments, first, outputs) &&
    readPoints(commitments + 32 * <usize>outputs, nextProof(proof))
  );
}

/** Hashes the `length` bytes after the running hash onto it, and makes the new state a challenge. */
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
  hashToScalar(appended, encodedQuotient(first), 32 * <usize>outputs);
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
