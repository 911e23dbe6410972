import type { Point } from '../curve/point.ts';
import { Fn, randomScalar } from '../curve/scalar.ts';
import { type BulletproofGenerators, RANGE_BITS } from '../proofs/bulletproof-generators.ts';
import type { BulletproofProof } from '../types.ts';
import { type PreparedBulletproof, prepareBulletproof } from './bulletproof-reader.ts';
import {
  challengeProducts,
  MultiExponentiation,
  sumOfPowers,
  TWO_TO_64_MINUS_1,
} from './multi-exponentiation.ts';

/** Secret random factors of a proof's two equations. */
interface Weights {
  readonly polynomial: bigint;
  readonly innerProduct: bigint;
}

/**
 * Adds the equation of the committed polynomial:
 * taux·G + (t + (z² - z)·Σy^i + (2^64 - 1)·Σz^(j+2))·H - x·T1 - x²·T2 - Σz^(j+2)·V_j = 0.
 */
function addPolynomialTerms(
  sum: MultiExponentiation,
  proof: PreparedBulletproof,
  weight: bigint,
): void {
  const { y, z, x, t, taux, paddedOutputs } = proof;
  const zz = Fn.sqr(z);
  const sumOfY = Fn.add(
    1n,
    Fn.sub(
      sumOfPowers(y, paddedOutputs * RANGE_BITS),
      Fn.pow(y, BigInt(paddedOutputs * RANGE_BITS)),
    ),
  );
  const sumOfZ = Fn.mul(zz, sumOfPowers(z, paddedOutputs));
  const h = Fn.add(t, Fn.add(Fn.mul(Fn.sub(zz, z), sumOfY), Fn.mul(TWO_TO_64_MINUS_1, sumOfZ)));
  sum.g = Fn.add(sum.g, Fn.mul(weight, taux));
  sum.h = Fn.add(sum.h, Fn.mul(weight, h));

  const minusX = Fn.mul(Fn.neg(weight), x);
  sum.add(minusX, proof.T1_8);
  sum.add(Fn.mul(minusX, x), proof.T2_8);
  let factor = Fn.mul(Fn.neg(weight), z);
  for (const V8 of proof.V8) {
    factor = Fn.mul(factor, z);
    sum.add(factor, V8);
  }
}

/**
 * Adds the equation of the inner product, without its last sum:
 * A + x·S - mu·G + xip·(t - a·b)·H + Σ(w²·L + w^-2·R) - Σ(g_i·G_i + h_i·H_i) = 0.
 */
function addInnerProductTerms(
  sum: MultiExponentiation,
  proof: PreparedBulletproof,
  weight: bigint,
  wInverse: readonly bigint[],
): void {
  const { a, b, t, mu, x, xip, w } = proof;
  sum.add(weight, proof.A8);
  sum.add(Fn.mul(weight, x), proof.S8);
  sum.g = Fn.sub(sum.g, Fn.mul(weight, mu));
  const difference = Fn.sub(t, Fn.mul(a, b));
  sum.h = Fn.add(sum.h, Fn.mul(weight, Fn.mul(xip, difference)));
  for (const [j, challenge] of w.entries()) {
    sum.add(Fn.mul(weight, Fn.sqr(challenge)), proof.L8[j] as Point);
    sum.add(Fn.mul(weight, Fn.sqr(wInverse[j] as bigint)), proof.R8[j] as Point);
  }
}

/**
 * Subtracts the terms of the generator vectors, multiplied by the weight:
 * g_i = a·s_i + z and h_i = y^-i·(b·s_i^-1 - z^(2 + floor(i/64))·2^(i mod 64)) - z.
 */
function subtractVectorTerms(
  sum: MultiExponentiation,
  proof: PreparedBulletproof,
  weight: bigint,
  inverses: { y: bigint; w: readonly bigint[] },
): void {
  const { a, b, z, w, paddedOutputs } = proof;
  const length = paddedOutputs * RANGE_BITS;
  const products = challengeProducts(w, inverses.w);
  let yPower = 1n;
  let zPower = z;
  let d = 0n;
  for (let i = 0; i < length; i++) {
    if (i % RANGE_BITS === 0) {
      zPower = Fn.mul(zPower, z);
      d = zPower;
    }
    const s = products[i] as bigint;
    const sInverse = products[length - 1 - i] as bigint; // the complement of i inverts every sign
    const gi = Fn.add(Fn.mul(a, s), z);
    const hi = Fn.sub(Fn.mul(yPower, Fn.sub(Fn.mul(b, sInverse), d)), z);
    sum.gi[i] = Fn.sub(sum.gi[i] as bigint, Fn.mul(weight, gi));
    sum.hi[i] = Fn.sub(sum.hi[i] as bigint, Fn.mul(weight, hi));
    yPower = Fn.mul(yPower, inverses.y);
    d = Fn.add(d, d);
  }
}

/**
 * Verifies a batch of Bulletproof range proofs (Bünz et al., "Bulletproofs", section 6.2) with one
 * multi-exponentiation. Each of a proof's two equations counts with a fresh secret random weight. An empty batch
 * holds. Source: bulletproof_VERIFY in src/ringct/bulletproofs.cc.
 */
export function verifyBulletproof(
  batch: readonly BulletproofProof[],
  H: Point,
  generators: BulletproofGenerators,
): boolean {
  const prepared: PreparedBulletproof[] = [];
  for (const proof of batch) {
    const next = prepareBulletproof(proof);
    if (next === undefined) return false;
    prepared.push(next);
  }
  if (prepared.length === 0) return true;

  const inverses = Fn.invertBatch(prepared.flatMap((proof) => [proof.y, ...proof.w]));
  const largest = Math.max(...prepared.map((proof) => proof.paddedOutputs));
  const sum = new MultiExponentiation(largest * RANGE_BITS);
  let offset = 0;
  for (const proof of prepared) {
    const weights: Weights = { polynomial: randomScalar(), innerProduct: randomScalar() };
    const y = inverses[offset] as bigint;
    const w = inverses.slice(offset + 1, offset + 1 + proof.w.length);
    offset += 1 + proof.w.length;
    addPolynomialTerms(sum, proof, weights.polynomial);
    addInnerProductTerms(sum, proof, weights.innerProduct, w);
    subtractVectorTerms(sum, proof, weights.innerProduct, { y, w });
  }
  return sum.isIdentity(H, generators);
}
