/**
 * Verification of a batch of Bulletproof+ range proofs with one sum over all their points (Chung, Han, Ju, Kim, Seo,
 * "Bulletproofs+"; upstream `bulletproof_plus_VERIFY`). Each proof counts with a secret random weight.
 */

import {
  CHALLENGES,
  CHALLENGES_SIZE,
  D1,
  E_CHALLENGE,
  nextProof,
  R1,
  readChallenges,
  readProof,
  S1,
  W_CHALLENGES,
  WEIGHT,
  Y_CHALLENGE,
  Z_CHALLENGE,
} from './bulletproof-plus-proof.ts';
import { BULLETPROOF_PLUS, ensureGenerators, MAX_PAIRS } from './generators.ts';
import { fillProducts, sumOfPowers } from './inner-product.ts';
import { allocate } from './memory.ts';
import { clear, nextScalar } from './multi-exponentiation.ts';
import { finishQuotients, ONE_EIGHTH } from './quotients.ts';
import {
  clearGeneratorScalars,
  G_SCALAR,
  H_SCALAR,
  MAX_PROOFS,
  outputsOf,
  RANGE_BITS,
  roundsOf,
  ROUNDS_FOR_ONE,
  sumVanishes,
  vectorScalar,
} from './range-proof.ts';
import { add, copy, invertAll, multiply, negate, setSmall, square, subtract } from './scalar.ts';

let challenges: usize = 0;
let inverses: usize = 0;
let gProducts: usize = 0;
let hProducts: usize = 0;

/** Reserves memory. */
export function setUpBulletproofPlus(): void {
  challenges = allocate(<usize>MAX_PROOFS * CHALLENGES_SIZE);
  inverses = allocate(<usize>MAX_PROOFS * CHALLENGES_SIZE);
  gProducts = allocate(<usize>MAX_PAIRS * 32);
  hProducts = allocate(<usize>MAX_PAIRS * 32);
}

// Of the proof at hand: N = 64 times the padded number of outputs.
const WEIGHT_BY_8: usize = memory.data(32, 16); // weight/8, for generators
const E_SQUARED: usize = memory.data(32, 16);
const Z_SQUARED: usize = memory.data(32, 16);
const Y_TO_N: usize = memory.data(32, 16);
const Y_TO_N_PLUS_1: usize = memory.data(32, 16);
const SUM_Y: usize = memory.data(32, 16);
const SUM_D: usize = memory.data(32, 16);

const T0: usize = memory.data(32, 16);
const T1: usize = memory.data(32, 16);
const T2: usize = memory.data(32, 16);

/** Adds the scalars of the proof's own points, in the order in which readProof adds the points. */
function addOwnScalars(proof: usize, challenge: usize, inverse: usize): void {
  const outputs = outputsOf(proof);
  const rounds = roundsOf(proof);
  negate(T0, proof + WEIGHT);
  multiply(T1, T0, challenge + E_CHALLENGE);
  multiply(T2, T0, E_SQUARED);
  copy(nextScalar(), T2); // A: -e²
  copy(nextScalar(), T1); // A1: -e
  copy(nextScalar(), T0); // B: -1
  multiply(T1, T2, Y_TO_N_PLUS_1);
  for (let j = 0; j < outputs; j++) {
    multiply(T1, T1, Z_SQUARED);
    copy(nextScalar(), T1); // V_j: -e²·y^(N+1)·z^(2(j+1))
  }
  for (let j = 0; j < rounds; j++) {
    const w = W_CHALLENGES + 32 * <usize>j;
    square(T1, challenge + w);
    multiply(nextScalar(), T1, T2); // L_j: -e²·w_j²
    square(T1, inverse + w);
    multiply(nextScalar(), T1, T2); // R_j: -e²·w_j^-2
  }
}

/** Adds to the scalars of G, d1, and H, r1·y·s1 + e²·(y^(N+1)·z·Σd + (z² - z)·Σy). */
function addBaseScalars(proof: usize, challenge: usize): void {
  multiply(T0, WEIGHT_BY_8, proof + D1);
  add(G_SCALAR, G_SCALAR, T0);

  multiply(T0, Y_TO_N_PLUS_1, challenge + Z_CHALLENGE);
  multiply(T0, T0, SUM_D);
  subtract(T1, Z_SQUARED, challenge + Z_CHALLENGE);
  multiply(T1, T1, SUM_Y);
  add(T0, T0, T1);
  multiply(T0, T0, E_SQUARED);
  multiply(T1, proof + R1, proof + S1);
  multiply(T1, T1, challenge + Y_CHALLENGE);
  add(T0, T0, T1);
  multiply(T0, T0, WEIGHT_BY_8);
  add(H_SCALAR, H_SCALAR, T0);
}

const CONSTANT: usize = memory.data(32, 16);
const D_TERM: usize = memory.data(32, 16);
const STEP: usize = memory.data(32, 16);

/**
 * Adds to the scalars of the vector generators, for i < N and s_i = the product of w_j^±1, plus where bit
 * rounds - 1 - j of i is set:
 * G_i: e·r1·y^-i·s_i + e²·z;  H_i: e·s1·s_i^-1 - e²·z - e²·y^(N-i)·d_i, d_i = z^(2(⌊i/64⌋+1))·2^(i mod 64).
 */
function addVectorScalars(proof: usize, challenge: usize, inverse: usize): void {
  const rounds = roundsOf(proof);
  const pairs = 1 << rounds;
  const yInverse = inverse + Y_CHALLENGE;
  const w = challenge + W_CHALLENGES;
  const wInverse = inverse + W_CHALLENGES;

  multiply(T2, WEIGHT_BY_8, challenge + E_CHALLENGE);
  multiply(T1, T2, proof + R1);
  fillProducts(gProducts, T1, w, wInverse, rounds, yInverse);
  multiply(T1, T2, proof + S1);
  fillProducts(hProducts, T1, wInverse, w, rounds, 0);

  multiply(T2, WEIGHT_BY_8, E_SQUARED);
  multiply(CONSTANT, T2, challenge + Z_CHALLENGE);
  multiply(T2, T2, Y_TO_N); // e²·y^(N-i) at the start of each run of 64
  add(STEP, yInverse, yInverse); // from one i to the next, d doubles and y^-i takes one more factor
  copy(T1, yInverse);
  for (let i = 0; i < 6; i++) square(T1, T1); // y^-64
  multiply(T1, T1, Z_SQUARED);
  multiply(T2, T2, Z_SQUARED);
  for (let i = 0; i < pairs; i++) {
    if (i % RANGE_BITS == 0) {
      copy(D_TERM, T2);
      multiply(T2, T2, T1);
    }
    const h = vectorScalar(i);
    const g = h + 32;
    add(g, g, gProducts + 32 * <usize>i);
    add(g, g, CONSTANT);
    add(h, h, hProducts + 32 * <usize>i);
    add(T0, CONSTANT, D_TERM);
    subtract(h, h, T0);
    multiply(D_TERM, D_TERM, STEP);
  }
}

const TWO_TO_64_MINUS_1: u64 = u64.MAX_VALUE;

function addProof(proof: usize, challenge: usize, inverse: usize): void {
  const rounds = roundsOf(proof);
  multiply(WEIGHT_BY_8, proof + WEIGHT, ONE_EIGHTH);
  square(E_SQUARED, challenge + E_CHALLENGE);
  square(Z_SQUARED, challenge + Z_CHALLENGE);
  copy(Y_TO_N, challenge + Y_CHALLENGE);
  for (let i = 0; i < rounds; i++) square(Y_TO_N, Y_TO_N);
  multiply(Y_TO_N_PLUS_1, Y_TO_N, challenge + Y_CHALLENGE);
  sumOfPowers(SUM_Y, challenge + Y_CHALLENGE, rounds);
  sumOfPowers(SUM_D, Z_SQUARED, rounds - ROUNDS_FOR_ONE);
  setSmall(T0, TWO_TO_64_MINUS_1);
  multiply(SUM_D, SUM_D, T0);

  addOwnScalars(proof, challenge, inverse);
  addBaseScalars(proof, challenge);
  addVectorScalars(proof, challenge, inverse);
}

/** True if all of `count` proofs, 1 to MAX_PROOFS, one behind the other in memory, hold. */
export function verifyBulletproofPlus(first: usize, count: i32): bool {
  if (count > MAX_PROOFS) unreachable();
  clear();
  let outputs = 0;
  let pairs = 0;
  let proof = first;
  for (let i = 0; i < count; i++, proof = nextProof(proof)) {
    if (!readProof(proof, outputs)) return false;
    outputs += outputsOf(proof);
    pairs = max(pairs, 1 << roundsOf(proof));
  }
  finishQuotients(outputs);

  outputs = 0;
  proof = first;
  for (let i = 0; i < count; i++, proof = nextProof(proof)) {
    if (!readChallenges(challenges + <usize>i * CHALLENGES_SIZE, proof, outputs)) return false;
    outputs += outputsOf(proof);
  }
  invertAll(inverses, challenges, count * CHALLENGES);

  ensureGenerators(BULLETPROOF_PLUS, pairs);
  clearGeneratorScalars(pairs);
  proof = first;
  for (let i = 0; i < count; i++, proof = nextProof(proof)) {
    const at = <usize>i * CHALLENGES_SIZE;
    addProof(proof, challenges + at, inverses + at);
  }
  return sumVanishes(BULLETPROOF_PLUS, pairs);
}
