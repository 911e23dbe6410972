import { mod } from '@noble/curves/abstract/modular.js';
import type { FcmpBackend } from '../backend/backend.ts';
import { termsOf } from '../circuit/circuit.ts';
import { elementBytes, invert, invertAll, powersOf } from '../curves/fields.ts';
import type { Generators } from '../curves/generators.ts';
import { type CyclePoint, encodePoint } from '../curves/helios-selene.ts';
import type { Transcript } from '../transcript.ts';
import type { NumberSource } from './prove-spend.ts';
import type { Witness } from './witness.ts';

/** A transcript that keeps what it took in, which is the proof, and what a proof is made with. */
export class ProofWriter {
  readonly parts: Uint8Array[] = [];
  readonly transcript: Transcript;
  readonly backend: FcmpBackend;
  readonly random: NumberSource;

  constructor(transcript: Transcript, backend: FcmpBackend, random: NumberSource) {
    this.transcript = transcript;
    this.backend = backend;
    this.random = random;
  }

  /** Writes a point. */
  point(point: CyclePoint): void {
    const bytes = encodePoint(point);
    this.transcript.point(bytes);
    this.parts.push(bytes);
  }

  /** Writes a scalar that is reduced. */
  scalar(scalar: bigint): void {
    const bytes = elementBytes(scalar);
    this.transcript.scalar(bytes);
    this.parts.push(bytes);
  }
}

/** The factors of the generators in a commitment, modulo the order of the curve. */
export interface Opening {
  readonly G: readonly bigint[];
  readonly H?: readonly bigint[];
  readonly g?: bigint;
  readonly h: bigint;
}

/** Returns Σ G[i]·G_i + Σ H[i]·H_i + g·g + h·h. */
export function commit(
  backend: FcmpBackend,
  generators: Generators,
  { G, H = [], g = 0n, h }: Opening,
): CyclePoint {
  const { order } = generators.curve;
  const reduced = (scalars: readonly bigint[]) => scalars.map((scalar) => mod(scalar, order));
  const zeros = (count: number) => new Array<bigint>(Math.max(0, count)).fill(0n);
  return backend.sum(generators, {
    points: [],
    scalars: [],
    g: mod(g, order),
    h: mod(h, order),
    G: [...reduced(G), ...zeros(H.length - G.length)],
    H: [...reduced(H), ...zeros(G.length - H.length)],
  });
}

type Vector = readonly bigint[];

/** What is proved: `n` gates, the slots of the vector commitments and their blinds. */
export interface CircuitWitness {
  readonly n: number;
  readonly witness: Witness;
  readonly slots: readonly Vector[];
  readonly blinds: Vector;
}

/** A polynomial whose coefficients are vectors, by powers. */
type Polynomial = ReadonlyMap<number, Vector>;

const at = (vector: Vector, i: number): bigint => vector[i] as bigint;

/** The vectors that the gates take, and their blinds. */
interface Gates {
  readonly aL: Vector;
  readonly aR: Vector;
  readonly aO: Vector;
  readonly sL: Vector;
  readonly sR: Vector;
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly rho: bigint;
}

const padded = (values: readonly (bigint | undefined)[], n: number): bigint[] =>
  Array.from({ length: n }, (_, i) => values[i] ?? 0n);

/** Writes A_I, A_O and S. */
function writeGates(
  writer: ProofWriter,
  generators: Generators,
  { n, witness }: CircuitWitness,
): Gates {
  const { backend, random } = writer;
  const modulus = generators.curve.order;
  const blind = (): bigint => random(modulus);
  const [aL, aR] = [padded(witness.aL, n), padded(witness.aR, n)];
  const aO = aL.map((left, i) => (left * at(aR, i)) % modulus);
  const [alpha, beta, rho] = [blind(), blind(), blind()];
  const [sL, sR] = [Array.from({ length: n }, blind), Array.from({ length: n }, blind)];
  writer.point(commit(backend, generators, { G: aL, H: aR, h: alpha }));
  writer.point(commit(backend, generators, { G: aO, h: beta }));
  writer.point(commit(backend, generators, { G: sL, H: sR, h: rho }));
  return { aL, aR, aO, sL, sR, alpha, beta, rho };
}

/** Writes a Generalized Bulletproof; formulas are those of `generalized-bulletproof.ts`, from the prover's side. */
export function proveBulletproof(
  writer: ProofWriter,
  generators: Generators,
  circuit: CircuitWitness,
): void {
  const { transcript } = writer;
  const { n, witness, slots, blinds } = circuit;
  const modulus = generators.curve.order;
  const gates = writeGates(writer, generators, circuit);
  const [y, z] = [transcript.challenge(modulus), transcript.challenge(modulus)];
  const yPowers = powersOf(y, n, modulus);
  const yInverses = invertAll(yPowers, modulus);
  const nPrime = 2 * slots.length + 2;
  const weights = weightsOf(witness, z, { n, commitments: slots.length, modulus });
  const [l, r] = polynomialsOf(gates, weights, {
    nPrime,
    yPowers,
    yInverses,
    slots: slots.map((values) => padded(values, n)),
  });
  const tau = writeCoefficients(writer, generators, { l, r, nPrime });
  const x = transcript.challenge(modulus);
  const xPowers = powersOf(x, 2 * nPrime + 3, modulus);
  const [left, right] = [evaluate(l, xPowers, modulus), evaluate(r, xPowers, modulus)];
  const ofTau = [...tau].reduce((sum, [power, value]) => sum + value * at(xPowers, power), 0n);
  const mu =
    gates.alpha * at(xPowers, nPrime / 2) +
    gates.beta * at(xPowers, nPrime) +
    gates.rho * at(xPowers, nPrime + 1) +
    blinds.reduce((sum, blind, j) => sum + blind * at(xPowers, nPrime - 1 - j), 0n);
  for (const scalar of [ofTau, mu, dot(left, right, modulus)]) writer.scalar(mod(scalar, modulus));
  proveInnerProduct(writer, generators, { left, right, yInverses });
}

/** Returns l(X) and r(X), not reduced. */
function polynomialsOf(
  { aL, aR, aO, sL, sR }: Gates,
  { wL, wR, wO, wC }: ReturnType<typeof weightsOf>,
  {
    nPrime,
    yPowers,
    yInverses,
    slots,
  }: {
    readonly nPrime: number;
    readonly yPowers: Vector;
    readonly yInverses: Vector;
    readonly slots: readonly Vector[];
  },
): [l: Polynomial, r: Polynomial] {
  const l = new Map<number, Vector>([
    [nPrime / 2, aL.map((left, i) => left + at(wR, i) * at(yInverses, i))],
    [nPrime, aO],
    [nPrime + 1, sL],
    ...slots.map((values, j): [number, Vector] => [nPrime - 1 - j, values]),
  ]);
  const r = new Map<number, Vector>([
    [nPrime / 2, aR.map((right, i) => right * at(yPowers, i) + at(wL, i))],
    [0, wO.map((weight, i) => weight - at(yPowers, i))],
    [nPrime + 1, sR.map((value, i) => value * at(yPowers, i))],
    ...wC.map((weights, j): [number, Vector] => [1 + j, weights]),
  ]);
  return [l, r];
}

/** Writes commitments to the coefficients of t(X) = <l, r> but the one that the circuit tells, and returns their blinds. */
function writeCoefficients(
  writer: ProofWriter,
  generators: Generators,
  { l, r, nPrime }: { readonly l: Polynomial; readonly r: Polynomial; readonly nPrime: number },
): ReadonlyMap<number, bigint> {
  const modulus = generators.curve.order;
  const t = new Array<bigint>(2 * nPrime + 3).fill(0n);
  for (const [i, left] of l) {
    for (const [j, right] of r) t[i + j] = (at(t, i + j) + dot(left, right, modulus)) % modulus;
  }
  const tau = new Map<number, bigint>();
  for (let power = nPrime / 2; power <= 2 * nPrime + 2; power++) {
    if (power === nPrime) continue;
    const h = writer.random(modulus);
    tau.set(power, h);
    writer.point(commit(writer.backend, generators, { G: [], h, g: at(t, power) }));
  }
  return tau;
}

/** Returns the value of a polynomial, where the powers of X are given. */
function evaluate(polynomial: Polynomial, xPowers: Vector, modulus: bigint): bigint[] {
  const [first = []] = polynomial.values();
  return first.map((_, i) => {
    let sum = 0n;
    for (const [power, vector] of polynomial) sum += at(vector, i) * at(xPowers, power);
    return mod(sum, modulus);
  });
}

const dot = (a: Vector, b: Vector, modulus: bigint): bigint =>
  mod(
    a.reduce((sum, value, i) => sum + value * (b[i] as bigint), 0n),
    modulus,
  );

/** Returns the weights of the constraints, those of each commitment apart. */
function weightsOf(
  { constraints }: Witness,
  z: bigint,
  {
    n,
    commitments,
    modulus,
  }: { readonly n: number; readonly commitments: number; readonly modulus: bigint },
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
  {
    left,
    right,
    yInverses,
  }: { readonly left: Vector; readonly right: Vector; readonly yInverses: Vector },
): void {
  const modulus = generators.curve.order;
  const { transcript, backend } = writer;
  const u = transcript.challenge(modulus);
  let [a, b] = [left, right];
  let G: Vector = yInverses.map(() => 1n);
  let H: Vector = yInverses;
  while (a.length > 1) {
    const half = a.length / 2;
    const isLow = (i: number): boolean => i % (2 * half) < half;
    const [aLow, aHigh] = [a.slice(0, half), a.slice(half)];
    const [bLow, bHigh] = [b.slice(0, half), b.slice(half)];
    const spread = (values: Vector, factors: Vector, low: boolean): bigint[] =>
      factors.map((factor, i) => (isLow(i) === low ? at(values, i % half) * factor : 0n));
    const write = (ofG: Vector, ofH: Vector, isGLow: boolean): void => {
      const g = u * dot(ofG, ofH, modulus);
      const opening = { G: spread(ofG, G, isGLow), H: spread(ofH, H, !isGLow), g, h: 0n };
      writer.point(commit(backend, generators, opening));
    };
    write(aLow, bHigh, false);
    write(aHigh, bLow, true);
    const e = transcript.challenge(modulus);
    const inverse = invert(e, modulus);
    G = G.map((factor, i) => (factor * (isLow(i) ? inverse : e)) % modulus);
    H = H.map((factor, i) => (factor * (isLow(i) ? e : inverse)) % modulus);
    a = aLow.map((value, i) => (value * e + at(aHigh, i) * inverse) % modulus);
    b = bLow.map((value, i) => (value * inverse + at(bHigh, i) * e) % modulus);
  }
  writer.scalar(at(a, 0));
  writer.scalar(at(b, 0));
}
