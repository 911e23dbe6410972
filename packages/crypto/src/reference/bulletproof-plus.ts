import type { Point } from '../curve/point.ts';
import { Fn, randomScalar } from '../curve/scalar.ts';
import { type BulletproofGenerators, RANGE_BITS } from '../proofs/bulletproof-generators.ts';
import type { BulletproofPlusProof } from '../types.ts';
import { type PreparedProof, prepareProof } from './bulletproof-plus-reader.ts';
import {
  challengeProducts,
  MultiExponentiation,
  sumOfPowers,
  TWO_TO_64_MINUS_1,
} from './multi-exponentiation.ts';

/** Adds the terms of the two generator vectors. */
function addVectorTerms(
  sum: MultiExponentiation,
  proof: PreparedProof,
  weight: bigint,
  inverses: { y: bigint; w: readonly bigint[] },
): void {
  const { y, z, e, r1, s1, w, paddedOutputs } = proof;
  const length = paddedOutputs * RANGE_BITS;
  const products = challengeProducts(w, inverses.w);
  const e2 = Fn.sqr(e);
  const constant = Fn.mul(weight, Fn.mul(e2, z));
  const sFactor = Fn.mul(weight, Fn.mul(e, s1));
  const zz = Fn.sqr(z);
  // Running values at index i: e·r1·y^-i, e²·y^(MN-i) and d_i = z^(2(j+1))·2^(i mod 64), j = floor(i/64).
  let rFactor = Fn.mul(weight, Fn.mul(e, r1));
  let yFactor = Fn.mul(weight, Fn.mul(e2, Fn.pow(y, BigInt(length))));
  let zPower = 1n;
  let d = 0n;
  for (let i = 0; i < length; i++) {
    if (i % RANGE_BITS === 0) {
      zPower = Fn.mul(zPower, zz);
      d = zPower;
    }
    const s = products[i] as bigint;
    const sInverse = products[length - 1 - i] as bigint; // the complement of i inverts every sign
    const gi = Fn.add(Fn.mul(rFactor, s), constant);
    const hi = Fn.sub(Fn.sub(Fn.mul(sFactor, sInverse), constant), Fn.mul(yFactor, d));
    sum.gi[i] = Fn.add(sum.gi[i] as bigint, gi);
    sum.hi[i] = Fn.add(sum.hi[i] as bigint, hi);
    rFactor = Fn.mul(rFactor, inverses.y);
    yFactor = Fn.mul(yFactor, inverses.y);
    d = Fn.add(d, d);
  }
}

/** Adds all terms except those of the generator vectors, multiplied by the weight. */
function addOwnTerms(
  sum: MultiExponentiation,
  proof: PreparedProof,
  weight: bigint,
  wInverse: readonly bigint[],
): void {
  const { y, z, e, r1, s1, d1, w, paddedOutputs } = proof;
  const length = paddedOutputs * RANGE_BITS;
  const e2 = Fn.sqr(e);
  const zz = Fn.sqr(z);
  const minusWeight = Fn.neg(weight);
  const minusWeightE2 = Fn.mul(minusWeight, e2);
  const yLast = Fn.pow(y, BigInt(length + 1));

  sum.add(minusWeight, proof.B8);
  sum.add(Fn.mul(minusWeight, e), proof.A1_8);
  sum.add(minusWeightE2, proof.A8);
  let vFactor = Fn.mul(minusWeightE2, yLast);
  for (const V8 of proof.V8) {
    vFactor = Fn.mul(vFactor, zz);
    sum.add(vFactor, V8);
  }
  for (const [j, challenge] of w.entries()) {
    sum.add(Fn.mul(minusWeightE2, Fn.sqr(challenge)), proof.L8[j] as Point);
    sum.add(Fn.mul(minusWeightE2, Fn.sqr(wInverse[j] as bigint)), proof.R8[j] as Point);
  }

  sum.g = Fn.add(sum.g, Fn.mul(weight, d1));
  const sumOfD = Fn.mul(TWO_TO_64_MINUS_1, sumOfPowers(zz, paddedOutputs));
  const range = Fn.add(
    Fn.mul(Fn.mul(yLast, z), sumOfD),
    Fn.mul(Fn.sub(zz, z), sumOfPowers(y, length)),
  );
  const h = Fn.add(Fn.mul(Fn.mul(r1, y), s1), Fn.mul(e2, range));
  sum.h = Fn.add(sum.h, Fn.mul(weight, h));
}

/**
 * Verifies a batch of Bulletproof+ range proofs (Chung et al., "Bulletproofs+", section 6.1) with one
 * multi-exponentiation. Each proof counts with a fresh secret random weight, so a sum of false proofs vanishes
 * with negligible probability. An empty batch holds. Source: bulletproof_plus_VERIFY in
 * src/ringct/bulletproofs_plus.cc.
 */
export function verifyBulletproofPlus(
  batch: readonly BulletproofPlusProof[],
  H: Point,
  generators: BulletproofGenerators,
): boolean {
  const prepared: PreparedProof[] = [];
  for (const proof of batch) {
    const next = prepareProof(proof);
    if (next === undefined) return false;
    prepared.push(next);
  }
  if (prepared.length === 0) return true;

  const inverses = Fn.invertBatch(prepared.flatMap((proof) => [proof.y, ...proof.w]));
  const largest = Math.max(...prepared.map((proof) => proof.paddedOutputs));
  const sum = new MultiExponentiation(largest * RANGE_BITS);
  let offset = 0;
  for (const proof of prepared) {
    const weight = randomScalar();
    const y = inverses[offset] as bigint;
    const w = inverses.slice(offset + 1, offset + 1 + proof.w.length);
    offset += 1 + proof.w.length;
    addOwnTerms(sum, proof, weight, w);
    addVectorTerms(sum, proof, weight, { y, w });
  }
  return sum.isIdentity(H, generators);
}
