/**
 * Verification of a batch of Bulletproof+ range proofs with one sum over all their points (Chung, Han, Ju, Kim, Seo,
 * "Bulletproofs+"; upstream `bulletproof_plus_VERIFY`).
 *
 * Each proof counts with a secret random weight. The rule multiplies every published point by 8; here the whole sum
 * is multiplied once at its end, and the scalars of the generators, which have no torsion, are divided by 8
 * beforehand: the same group element.
 */

import { addPackedTerm, begin, evaluate } from './combination.ts';
import {
  CHALLENGES,
  CHALLENGES_SIZE,
  D1,
  E_CHALLENGE,
  finishQuotients,
  MAX_PROOFS,
  nextProof,
  ONE_EIGHTH,
  outputsOf,
  R1,
  readChallenges,
  readProof,
  roundsOf,
  S1,
  W_CHALLENGES,
  WEIGHT,
  Y_CHALLENGE,
  Z_CHALLENGE,
} from './bulletproof-plus-proof.ts';
import {
  ensureGenerators,
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
  clear,
  isSmall,
  nextPoint,
  nextScalar,
  sumWithBuckets,
} from './multi-exponentiation.ts';
import { addPoints, isIdentity, multiplyByCofactor, PACKED_POINT_SIZE } from './point.ts';
import { add, copy, invertAll, multiply, negate, setSmall, square, subtract } from './scalar.ts';

const RANGE_BITS: i32 = 64;

let challenges: usize = 0;
let inverses: usize = 0;
/** Scalars of the vector generators, in the order of generators.ts: h_0, g_0, h_1, g_1, … */
let vectorScalars: usize = 0;
let gProducts: usize = 0;
let hProducts: usize = 0;

/** Reserves memory. */
export function setUpBulletproofPlus(): void {
  challenges = allocate(<usize>MAX_PROOFS * CHALLENGES_SIZE);
  inverses = allocate(<usize>MAX_PROOFS * CHALLENGES_SIZE);
  vectorScalars = allocate(<usize>(2 * MAX_PAIRS) * 32);
  gProducts = allocate(<usize>MAX_PAIRS * 32);
  hProducts = allocate(<usize>MAX_PAIRS * 32);
}

// Scalars of G and H.
const G_SCALAR: usize = memory.data(32, 16);
const H_SCALAR: usize = memory.data(32, 16);

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

/** r = base + base² + … + base^(2^log). */
function sumOfPowers(r: usize, base: usize, log: i32): void {
  copy(r, base);
  copy(T0, base); // base^(2^i), while r ends at that power
  for (let i = 0; i < log; i++) {
    multiply(T1, r, T0);
    add(r, r, T1);
    square(T0, T0);
  }
}

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

/**
 * products_i = products_0 · the product of factor_b over the bits b of i, for i below 2^rounds. factor_b is the square
 * of `challenge` number rounds - 1 - b, and times base^(2^b) unless base is 0.
 */
function fillProducts(products: usize, challenge: usize, rounds: i32, base: usize): void {
  if (base != 0) copy(T1, base);
  for (let b = 0; b < rounds; b++) {
    square(T0, challenge + 32 * <usize>(rounds - 1 - b));
    if (base != 0) {
      multiply(T0, T0, T1);
      square(T1, T1);
    }
    const half = (<usize>32) << b;
    for (let at: usize = 0; at < half; at += 32) {
      multiply(products + half + at, products + at, T0);
    }
  }
}

/** r = `first` times all challenges of the rounds. */
function multiplyAll(r: usize, first: usize, challenge: usize, rounds: i32): void {
  copy(r, first);
  for (let j = 0; j < rounds; j++) multiply(r, r, challenge + 32 * <usize>j);
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

  multiply(T2, WEIGHT_BY_8, challenge + E_CHALLENGE);
  multiply(T1, T2, proof + R1);
  multiplyAll(gProducts, T1, inverse + W_CHALLENGES, rounds);
  fillProducts(gProducts, challenge + W_CHALLENGES, rounds, yInverse);
  multiply(T1, T2, proof + S1);
  multiplyAll(hProducts, T1, challenge + W_CHALLENGES, rounds);
  fillProducts(hProducts, inverse + W_CHALLENGES, rounds, 0);

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
    const h = vectorScalars + 64 * <usize>i;
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
  sumOfPowers(SUM_D, Z_SQUARED, rounds - 6);
  setSmall(T0, TWO_TO_64_MINUS_1);
  multiply(SUM_D, SUM_D, T0);

  addOwnScalars(proof, challenge, inverse);
  addBaseScalars(proof, challenge);
  addVectorScalars(proof, challenge, inverse);
}

const TOTAL: usize = memory.data(288, 16);
const BUCKET_SUM: usize = memory.data(288, 16);

/** True if the sum of all terms for the first `pairs` pairs of generators, times 8, is the identity. */
function sumIsIdentity(pairs: i32): bool {
  for (let i = 2 * TABLE_PAIRS; i < 2 * pairs; i++) {
    memory.copy(nextPoint(), packedGenerator(i), PACKED_POINT_SIZE);
    copy(nextScalar(), vectorScalars + 32 * <usize>i);
  }
  begin();
  addPackedTerm(G_SCALAR, tableOfG(), G_WIDTH);
  addPackedTerm(H_SCALAR, tableOfH(), GENERATOR_WIDTH);
  for (let i = 0; i < 2 * min(pairs, TABLE_PAIRS); i++) {
    addPackedTerm(vectorScalars + 32 * <usize>i, tableOfGenerator(i), GENERATOR_WIDTH);
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

  ensureGenerators(pairs);
  memory.fill(vectorScalars, 0, 64 * <usize>pairs);
  setSmall(G_SCALAR, 0);
  setSmall(H_SCALAR, 0);
  proof = first;
  for (let i = 0; i < count; i++, proof = nextProof(proof)) {
    const at = <usize>i * CHALLENGES_SIZE;
    addProof(proof, challenges + at, inverses + at);
  }
  return sumIsIdentity(pairs);
}
