import { mod } from '@noble/curves/abstract/modular.js';
import { pippenger } from '@noble/curves/abstract/curve.js';
import { termsOf } from '../../circuit/circuit.ts';
import { randomWeight } from '../../bulletproof/equation.ts';
import { elementBytes, invert, invertAll, powersOf } from '../../curves/fields.ts';
import type { Generators } from '../../curves/generators.ts';
import { type CyclePoint, encodePoint } from '../../curves/helios-selene.ts';
import type { Transcript } from '../../transcript.ts';
import type { Witness } from './witness.ts';

/** A transcript that keeps what it took in, which is the proof. */
export class ProofWriter {
  readonly parts: Uint8Array[] = [];
  readonly transcript: Transcript;

  constructor(transcript: Transcript) {
    this.transcript = transcript;
  }

  point(point: CyclePoint): void {
    const bytes = encodePoint(point);
    this.transcript.point(bytes);
    this.parts.push(bytes);
  }

  scalar(scalar: bigint): void {
    const bytes = elementBytes(scalar);
    this.transcript.scalar(bytes);
    this.parts.push(bytes);
  }
}

/** Returns Σ G[i]·G_i + Σ H[i]·H_i + h·h + g·g. */
export function commit(
  generators: Generators,
  G: readonly bigint[],
  h: bigint,
  H: readonly bigint[] = [],
  g = 0n,
): CyclePoint {
  const { curve } = generators;
  const points = [...generators.G(G.length), ...generators.H(H.length), generators.h, generators.g];
  const scalars = [...G, ...H, h, g].map((scalar) => mod(scalar, curve.order));
  return pippenger(curve.Point, points, scalars);
}

type Vector = readonly bigint[];

/** What is proved: `n` gates, the slots of the vector commitments and their blinds. */
export interface CircuitWitness {
  readonly n: number;
  readonly witness: Witness;
  readonly slots: readonly Vector[];
  readonly blinds: Vector;
}

/** Writes a Generalized Bulletproof; formulas are those of `generalized-bulletproof.ts`, from the prover's side. */
export function proveBulletproof(
  writer: ProofWriter,
  generators: Generators,
  { n, witness, slots, blinds }: CircuitWitness,
): void {
  const { transcript } = writer;
  const modulus = generators.curve.order;
  const random = (): bigint => randomWeight(modulus);
  const randoms = (): bigint[] => Array.from({ length: n }, random);
  const padded = (values: readonly (bigint | undefined)[]): bigint[] =>
    Array.from({ length: n }, (_, i) => values[i] ?? 0n);
  const [aL, aR] = [padded(witness.aL), padded(witness.aR)];
  const aO = aL.map((left, i) => (left * (aR[i] as bigint)) % modulus);
  const [alpha, beta, rho, sL, sR] = [random(), random(), random(), randoms(), randoms()];
  writer.point(commit(generators, aL, alpha, aR));
  writer.point(commit(generators, aO, beta));
  writer.point(commit(generators, sL, rho, sR));
  const [y, z] = [transcript.challenge(modulus), transcript.challenge(modulus)];
  const yPowers = powersOf(y, n, modulus);
  const yInverses = invertAll(yPowers, modulus);

  const { wL, wR, wO, wC } = weightsOf(witness, z, n, slots.length, modulus);
  const nPrime = 2 * slots.length + 2;
  const at = (vector: Vector, i: number): bigint => vector[i] as bigint;
  const l = new Map<number, Vector>([
    [nPrime / 2, aL.map((left, i) => left + at(wR, i) * at(yInverses, i))],
    [nPrime, aO],
    [nPrime + 1, sL],
    ...slots.map((values, j): [number, Vector] => [nPrime - 1 - j, padded(values)]),
  ]);
  const r = new Map<number, Vector>([
    [nPrime / 2, aR.map((right, i) => right * at(yPowers, i) + at(wL, i))],
    [0, wO.map((weight, i) => weight - at(yPowers, i))],
    [nPrime + 1, sR.map((value, i) => value * at(yPowers, i))],
    ...wC.map((weights, j): [number, Vector] => [1 + j, weights]),
  ]);
  const t = new Array<bigint>(2 * nPrime + 3).fill(0n);
  for (const [i, left] of l) {
    for (const [j, right] of r) t[i + j] = (at(t, i + j) + dot(left, right, modulus)) % modulus;
  }
  const tau = new Map<number, bigint>();
  for (let power = nPrime / 2; power <= 2 * nPrime + 2; power++) {
    if (power === nPrime) continue;
    tau.set(power, random());
    writer.point(commit(generators, [], tau.get(power) as bigint, [], at(t, power)));
  }
  const x = transcript.challenge(modulus);
  const xPowers = powersOf(x, 2 * nPrime + 3, modulus);
  const evaluate = (polynomial: ReadonlyMap<number, Vector>): bigint[] =>
    Array.from({ length: n }, (_, i) =>
      mod(
        [...polynomial].reduce(
          (sum, [power, vector]) => sum + at(vector, i) * at(xPowers, power),
          0n,
        ),
        modulus,
      ),
    );
  const [left, right] = [evaluate(l), evaluate(r)];
  const ofTau = [...tau].reduce((sum, [power, value]) => sum + value * at(xPowers, power), 0n);
  const mu =
    alpha * at(xPowers, nPrime / 2) +
    beta * at(xPowers, nPrime) +
    rho * at(xPowers, nPrime + 1) +
    blinds.reduce((sum, blind, j) => sum + blind * at(xPowers, nPrime - 1 - j), 0n);
  for (const scalar of [ofTau % modulus, mu % modulus, dot(left, right, modulus)])
    writer.scalar(scalar);
  proveInnerProduct(writer, generators, left, right, yInverses);
}

const dot = (a: Vector, b: Vector, modulus: bigint): bigint =>
  mod(
    a.reduce((sum, value, i) => sum + value * (b[i] as bigint), 0n),
    modulus,
  );

function weightsOf(
  { constraints }: Witness,
  z: bigint,
  n: number,
  commitments: number,
  modulus: bigint,
): { wL: bigint[]; wR: bigint[]; wO: bigint[]; wC: bigint[][] } {
  const zeros = (): bigint[] => new Array<bigint>(n).fill(0n);
  const w = {
    wL: zeros(),
    wR: zeros(),
    wO: zeros(),
    wC: Array.from({ length: commitments }, zeros),
  };
  let zPower = 1n;
  for (const constraint of constraints) {
    zPower = (zPower * z) % modulus;
    for (const [variable, weight] of termsOf(constraint)) {
      if (variable.side === 'V') continue;
      const [vector, i] =
        variable.side === 'C'
          ? [w.wC[variable.commitment] as bigint[], variable.slot]
          : [{ aL: w.wL, aR: w.wR, aO: w.wO }[variable.side], variable.gate];
      vector[i] = mod((vector[i] as bigint) + zPower * weight, modulus);
    }
  }
  return w;
}

/** Writes L, R of each round, a and b. Folded generators are kept as multiples of the original ones. */
function proveInnerProduct(
  writer: ProofWriter,
  generators: Generators,
  left: bigint[],
  right: bigint[],
  yInverses: Vector,
): void {
  const modulus = generators.curve.order;
  const { transcript } = writer;
  const u = transcript.challenge(modulus);
  let [a, b] = [left, right];
  let [G, H] = [yInverses.map(() => 1n), [...yInverses]];
  while (a.length > 1) {
    const half = a.length / 2;
    const isLow = (i: number): boolean => i % (2 * half) < half;
    const [aLow, aHigh, bLow, bHigh] = [
      a.slice(0, half),
      a.slice(half),
      b.slice(0, half),
      b.slice(half),
    ];
    const spread = (values: Vector, factors: Vector, low: boolean): bigint[] =>
      factors.map((factor, i) => (isLow(i) === low ? (values[i % half] as bigint) * factor : 0n));
    const cross = (values: Vector, others: Vector): bigint => u * dot(values, others, modulus);
    writer.point(
      commit(generators, spread(aLow, G, false), 0n, spread(bHigh, H, true), cross(aLow, bHigh)),
    );
    writer.point(
      commit(generators, spread(aHigh, G, true), 0n, spread(bLow, H, false), cross(aHigh, bLow)),
    );
    const e = transcript.challenge(modulus);
    const inverse = invert(e, modulus);
    G = G.map((factor, i) => (factor * (isLow(i) ? inverse : e)) % modulus);
    H = H.map((factor, i) => (factor * (isLow(i) ? e : inverse)) % modulus);
    a = aLow.map((value, i) => (value * e + (aHigh[i] as bigint) * inverse) % modulus);
    b = bLow.map((value, i) => (value * inverse + (bHigh[i] as bigint) * e) % modulus);
  }
  writer.scalar(a[0] as bigint);
  writer.scalar(b[0] as bigint);
}
