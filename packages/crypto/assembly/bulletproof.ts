/**
 * Verification of a batch of Bulletproof range proofs with one sum over all their points (Bünz et al., "Bulletproofs";
 * upstream `bulletproof_VERIFY`). Each of a proof's two equations counts with a secret random weight: that of the
 * committed polynomial and that of the inner product.
 */

import {
  CHALLENGES,
  CHALLENGES_SIZE,
  INNER_PRODUCT,
  LEFT_SCALAR,
  MU,
  nextProof,
  POLYNOMIAL_WEIGHT,
  PRODUCT_CHALLENGE,
  PRODUCT_WEIGHT,
  readChallenges,
  readProof,
  RIGHT_SCALAR,
  TAUX,
  W_CHALLENGES,
  X_CHALLENGE,
  Y_CHALLENGE,
  Z_CHALLENGE,
} from './bulletproof-proof.ts';
import { BULLETPROOF, ensureGenerators, MAX_PAIRS } from './generators.ts';
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
export function setUpBulletproofs(): void {
  challenges = allocate(<usize>MAX_PROOFS * CHALLENGES_SIZE);
  inverses = allocate(<usize>MAX_PROOFS * CHALLENGES_SIZE);
  gProducts = allocate(<usize>MAX_PAIRS * 32);
  hProducts = allocate(<usize>MAX_PAIRS * 32);
}

// Of the proof at hand: N = 64 times the padded number of outputs.
const POLYNOMIAL_WEIGHT_BY_8: usize = memory.data(32, 16); // weights/8, for generators
const PRODUCT_WEIGHT_BY_8: usize = memory.data(32, 16);
const Z_SQUARED: usize = memory.data(32, 16);
const SUM_Y: usize = memory.data(32, 16); // y^0 + … + y^(N-1)
const SUM_Z: usize = memory.data(32, 16); // z^3 + … + z^(2 + padded outputs)

const T0: usize = memory.data(32, 16);
const T1: usize = memory.data(32, 16);
const T2: usize = memory.data(32, 16);

/** Adds the scalars of the proof's own points, in the order in which readProof adds the points. */
function addOwnScalars(proof: usize, challenge: usize, inverse: usize): void {
  const outputs = outputsOf(proof);
  const rounds = roundsOf(proof);
  const x = challenge + X_CHALLENGE;
  const weight = proof + PRODUCT_WEIGHT;
  copy(nextScalar(), weight); // A: 1
  multiply(nextScalar(), weight, x); // S: x
  negate(T0, proof + POLYNOMIAL_WEIGHT);
  multiply(T1, T0, x);
  copy(nextScalar(), T1); // T1: -x
  multiply(nextScalar(), T1, x); // T2: -x²
  multiply(T0, T0, challenge + Z_CHALLENGE);
  for (let j = 0; j < outputs; j++) {
    multiply(T0, T0, challenge + Z_CHALLENGE);
    copy(nextScalar(), T0); // V_j: -z^(j+2)
  }
  for (let j = 0; j < rounds; j++) {
    const w = W_CHALLENGES + 32 * <usize>j;
    square(T1, challenge + w);
    multiply(nextScalar(), T1, weight); // L_j: w_j²
    square(T1, inverse + w);
    multiply(nextScalar(), T1, weight); // R_j: w_j^-2
  }
}

const TWO_TO_64_MINUS_1: u64 = u64.MAX_VALUE;

/**
 * Adds to the scalars of G and H. The polynomial has taux and t + (z² - z)·Σy + (2^64 - 1)·Σz there; the inner product
 * -mu and c·(t - a·b), c being its own challenge.
 */
function addBaseScalars(proof: usize, challenge: usize): void {
  multiply(T0, POLYNOMIAL_WEIGHT_BY_8, proof + TAUX);
  add(G_SCALAR, G_SCALAR, T0);
  multiply(T0, PRODUCT_WEIGHT_BY_8, proof + MU);
  subtract(G_SCALAR, G_SCALAR, T0);

  subtract(T0, Z_SQUARED, challenge + Z_CHALLENGE);
  multiply(T0, T0, SUM_Y);
  setSmall(T1, TWO_TO_64_MINUS_1);
  multiply(T1, T1, SUM_Z);
  add(T0, T0, T1);
  add(T0, T0, proof + INNER_PRODUCT);
  multiply(T0, T0, POLYNOMIAL_WEIGHT_BY_8);
  add(H_SCALAR, H_SCALAR, T0);

  multiply(T0, proof + LEFT_SCALAR, proof + RIGHT_SCALAR);
  subtract(T0, proof + INNER_PRODUCT, T0);
  multiply(T0, T0, challenge + PRODUCT_CHALLENGE);
  multiply(T0, T0, PRODUCT_WEIGHT_BY_8);
  add(H_SCALAR, H_SCALAR, T0);
}

const CONSTANT: usize = memory.data(32, 16);
const D_TERM: usize = memory.data(32, 16);
const STEP: usize = memory.data(32, 16);

/**
 * Subtracts from the scalars of the vector generators, for i < N and s_i = the product of w_j^±1, plus where bit
 * rounds - 1 - j of i is set:
 * G_i: a·s_i + z;  H_i: b·y^-i·s_i^-1 - y^-i·d_i - z, d_i = z^(2+⌊i/64⌋)·2^(i mod 64).
 */
function subtractVectorScalars(proof: usize, challenge: usize, inverse: usize): void {
  const rounds = roundsOf(proof);
  const pairs = 1 << rounds;
  const yInverse = inverse + Y_CHALLENGE;
  const w = challenge + W_CHALLENGES;
  const wInverse = inverse + W_CHALLENGES;

  negate(T2, PRODUCT_WEIGHT_BY_8);
  multiply(T1, T2, proof + LEFT_SCALAR);
  fillProducts(gProducts, T1, w, wInverse, rounds, 0);
  multiply(T1, T2, proof + RIGHT_SCALAR);
  fillProducts(hProducts, T1, wInverse, w, rounds, yInverse);

  multiply(CONSTANT, T2, challenge + Z_CHALLENGE);
  multiply(T2, T2, Z_SQUARED); // y^-i·d_i at the start of each run of 64
  add(STEP, yInverse, yInverse); // from one i to the next, d doubles and y^-i takes one more factor
  copy(T1, yInverse);
  for (let i = 0; i < ROUNDS_FOR_ONE; i++) square(T1, T1); // y^-64
  multiply(T1, T1, challenge + Z_CHALLENGE);
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

function addProof(proof: usize, challenge: usize, inverse: usize): void {
  const rounds = roundsOf(proof);
  const y = challenge + Y_CHALLENGE;
  const z = challenge + Z_CHALLENGE;
  multiply(POLYNOMIAL_WEIGHT_BY_8, proof + POLYNOMIAL_WEIGHT, ONE_EIGHTH);
  multiply(PRODUCT_WEIGHT_BY_8, proof + PRODUCT_WEIGHT, ONE_EIGHTH);
  square(Z_SQUARED, z);
  sumOfPowers(SUM_Y, y, rounds); // y^1 … y^N, which one more factor brings down
  multiply(SUM_Y, SUM_Y, inverse + Y_CHALLENGE);
  sumOfPowers(SUM_Z, z, rounds - ROUNDS_FOR_ONE);
  multiply(SUM_Z, SUM_Z, Z_SQUARED);

  addOwnScalars(proof, challenge, inverse);
  addBaseScalars(proof, challenge);
  subtractVectorScalars(proof, challenge, inverse);
}

/** True if all of `count` proofs, 1 to MAX_PROOFS, one behind the other in memory, hold. */
export function verifyBulletproof(first: usize, count: i32): bool {
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

  ensureGenerators(BULLETPROOF, pairs);
  clearGeneratorScalars(pairs);
  proof = first;
  for (let i = 0; i < count; i++, proof = nextProof(proof)) {
    const at = <usize>i * CHALLENGES_SIZE;
    addProof(proof, challenges + at, inverses + at);
  }
  return sumVanishes(BULLETPROOF, pairs);
}
