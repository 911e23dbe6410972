import type { ConstraintSink } from '../circuit/circuit.ts';
import { invert, invertAll, powersOf } from '../curves/fields.ts';
import type { CycleCurve, CyclePoint } from '../curves/helios-selene.ts';
import type { Commitments, ProofReader } from '../proof-reader.ts';
import { type CurveEquation, randomWeight } from './equation.ts';
import type { WeighedConstraints } from '../backend/weights.ts';

// Generalized Bulletproofs: an argument for an arithmetic circuit over committed vectors. Sources: monero-oxide,
// crypto/generalized-bulletproofs/src/arithmetic_circuit_proof.rs and inner_product.rs, with the powers of X of April 2026,
// after cypherstack/generalized-bulletproofs-fix. Names are those of the paper; with c vector commitments, n' = 2c + 2:
//
//   l(X): a_L + y^-i·w_R at n'/2, a_O at n', s_L at n'+1, the values of C_j at n'-1-j
//   r(X): y^i·a_R + w_L at n'/2, w_O - y^i at 0, y^i·s_R at n'+1, w_(C,j) at 1+j
//
// so t(X) = <l, r> begins at n'/2 and ends at 2n'+2, and its coefficient at n' is what the circuit says. Before April 2026 the
// commitments stood on both sides of n'/2 in l, and a prover could use their parts on H_i to unlink the gates.

/** A round of the inner product argument. */
interface Round {
  readonly L: CyclePoint;
  readonly R: CyclePoint;
  readonly e: bigint;
}

/** A proof and its challenges. */
export interface GeneralizedBulletproof {
  /** Gates, a power of two. */
  readonly n: number;
  readonly commitments: Commitments;
  readonly AI: CyclePoint;
  readonly AO: CyclePoint;
  readonly S: CyclePoint;
  readonly y: bigint;
  readonly z: bigint;
  /** Commitments to the coefficients of t(X), each with its power. */
  readonly T: readonly (readonly [power: number, point: CyclePoint])[];
  readonly x: bigint;
  readonly tauX: bigint;
  readonly mu: bigint;
  readonly tHat: bigint;
  readonly u: bigint;
  readonly rounds: readonly Round[];
  readonly a: bigint;
  readonly b: bigint;
}

/** n' of a proof with so many vector commitments. */
const nPrimeOf = (vectors: number): number => 2 * vectors + 2;

/**
 * Reads a proof for `n` gates, and draws its challenges. Throws `RefusedProof` for a malformed element. Nothing is computed, so
 * that bytes which are no proof cost little.
 */
export function readGeneralizedBulletproof(
  reader: ProofReader,
  curve: CycleCurve,
  n: number,
  commitments: Commitments,
): GeneralizedBulletproof {
  const { transcript } = reader;
  const draw = (): bigint => transcript.challenge(curve.order);
  const [AI, AO, S] = reader.points(curve, 3) as [CyclePoint, CyclePoint, CyclePoint];
  const [y, z] = [draw(), draw()];
  const nPrime = nPrimeOf(commitments.vectors.length);
  const T: [number, CyclePoint][] = [];
  for (let power = nPrime / 2; power <= 2 * nPrime + 2; power++) {
    if (power !== nPrime) T.push([power, reader.point(curve)]);
  }
  const x = draw();
  const [tauX, mu, tHat] = [0, 1, 2].map(() => reader.scalar(curve.order)) as [
    bigint,
    bigint,
    bigint,
  ];
  const u = draw();
  const rounds = Array.from({ length: Math.log2(n) }, (): Round => {
    const [L, R] = reader.points(curve, 2) as [CyclePoint, CyclePoint];
    return { L, R, e: draw() };
  });
  const [a, b] = [reader.scalar(curve.order), reader.scalar(curve.order)];
  return { n, commitments, AI, AO, S, y, z, T, x, tauX, mu, tHat, u, rounds, a, b };
}

/** Adds the two equations of a proof for the circuit that `constrain` hands to its sink. */
export function addGeneralizedBulletproof(
  equation: CurveEquation,
  proof: GeneralizedBulletproof,
  constrain: (sink: ConstraintSink) => void,
): void {
  const { n, commitments, y, z, x } = proof;
  const modulus = equation.generators.curve.order;
  const nPrime = nPrimeOf(commitments.vectors.length);
  const xPowers = powersOf(x, 2 * nPrime + 3, modulus);
  const values = commitments.values.length;
  const { backend, generators } = equation;
  const weights = backend.weigh(generators.curve, { n, values, z, xPowers }, constrain);
  const yInverses = powersOf(invert(y, modulus), n, modulus);
  const parts = { equation, proof, weights, xPowers, yInverses, nPrime, modulus };
  addPolynomial(parts);
  addInnerProduct(parts);
}

/** What both equations are made of; `yInverses` are 1, y^-1, y^-2, … */
interface Parts {
  readonly equation: CurveEquation;
  readonly proof: GeneralizedBulletproof;
  readonly weights: WeighedConstraints;
  readonly xPowers: readonly bigint[];
  readonly yInverses: readonly bigint[];
  readonly nPrime: number;
  readonly modulus: bigint;
}

/**
 * t̂·g + τ_x·h = x^n'·(δ - κ)·g - x^n'·Σ w_(V,j)·V_j + Σ x^i·T_i, with δ = Σ y^-i·w_L[i]·w_R[i]. The constants κ have the sign of
 * a constraint's left side.
 */
function addPolynomial({
  equation,
  proof,
  weights,
  xPowers,
  yInverses,
  nPrime,
  modulus,
}: Parts): void {
  const { wL, wR, wV, kappa } = weights;
  const rho = randomWeight(modulus);
  const delta = yInverses.reduce(
    (sum, yInverse, i) =>
      sum +
      ((((yInverse * ((wL[i] as bigint) % modulus)) % modulus) * ((wR[i] as bigint) % modulus)) %
        modulus),
    0n,
  );
  const xToN = xPowers[nPrime] as bigint;
  equation.addG(rho * (proof.tHat - xToN * ((delta - kappa) % modulus)));
  equation.addH(rho * proof.tauX);
  for (const [power, point] of proof.T) equation.add(-rho * (xPowers[power] as bigint), point);
  for (const [j, point] of proof.commitments.values.entries()) {
    equation.add(rho * xToN * ((wV[j] as bigint) % modulus), point);
  }
}

/**
 * The commitment to l(x) and r(x), and the argument that their inner product is t̂:
 *
 *   P + u·t̂·g + Σ (e_k²·L_k + e_k^-2·R_k) = a·Σ s_i·G_i + b·Σ s_(n-1-i)·y^-i·H_i + a·b·u·g
 *   P = Σ x^(n'/2)·y^-i·w_R[i]·G_i
 *     + Σ y^-i·(x^(n'/2)·w_L[i] + w_O[i] - y^i + Σ x^(1+j)·w_(C,j)[i])·H_i
 *     + x^(n'/2)·A_I + x^n'·A_O + x^(n'+1)·S + Σ x^(n'-1-j)·C_j - μ·h
 */
function addInnerProduct({
  equation,
  proof,
  weights,
  xPowers,
  yInverses,
  nPrime,
  modulus,
}: Parts): void {
  const { n, commitments, a, b, u, tHat, rounds } = proof;
  const { wL, wR, wO, wC } = weights;
  const rho = randomWeight(modulus);
  const x = (power: number): bigint => xPowers[power] as bigint;
  const inverses = invertAll(
    rounds.map(({ e }) => e),
    modulus,
  );
  for (const [k, { L, R, e }] of rounds.entries()) {
    const inverse = inverses[k] as bigint;
    equation.add(rho * e * e, L);
    equation.add(rho * inverse * inverse, R);
  }
  const products = challengeProducts(rounds, inverses, modulus);
  const half = x(nPrime / 2);
  const G = yInverses.map((yInverse, i) => {
    const ofP = ((yInverse * ((wR[i] as bigint) % modulus)) % modulus) * half;
    return (rho * ((ofP - a * (products[i] as bigint)) % modulus)) % modulus;
  });
  const H = yInverses.map((yInverse, i) => {
    const ofP = half * ((wL[i] as bigint) % modulus) + (wO[i] as bigint) + (wC[i] as bigint);
    const difference = (ofP - b * (products[n - 1 - i] as bigint)) % modulus;
    // The -1 is -y^i·y^-i.
    return (rho * (((yInverse * difference) % modulus) - 1n)) % modulus;
  });
  equation.addVectors(G, H);
  equation.add(rho * half, proof.AI);
  equation.add(rho * x(nPrime), proof.AO);
  equation.add(rho * x(nPrime + 1), proof.S);
  for (const [j, C] of commitments.vectors.entries()) equation.add(rho * x(nPrime - 1 - j), C);
  equation.addH(-rho * proof.mu);
  equation.addG(rho * u * (tHat - a * b));
}

/** Returns s_i: the product of e_k where bit log2(n) - k of i is set, and of their inverses elsewhere, for k = 1, 2, … */
function challengeProducts(
  rounds: readonly Round[],
  inverses: readonly bigint[],
  modulus: bigint,
): bigint[] {
  let products = [1n];
  for (const [k, { e }] of rounds.entries()) {
    const inverse = inverses[k] as bigint;
    products = products.flatMap((product) => [
      (product * inverse) % modulus,
      (product * e) % modulus,
    ]);
  }
  return products;
}
