import { mod } from '@noble/curves/abstract/modular.js';
import type { Affine } from '../curves/ed25519.ts';
import { invert, invertAll, powersOf, squareRoot } from '../curves/fields.ts';
import { rightSide, type ShortWeierstrass } from '../curves/helios-selene.ts';
import { RefusedProof } from '../refused-proof.ts';
import type { Transcript } from '../transcript.ts';
import type { Weights } from './circuit.ts';

// Proofs of discrete logarithms by divisors, after Eagen (2022/596): a function D with zeros exactly at some points exists if
// they add up to the identity, and its logarithmic derivative along a random line shows where its zeros are.
// Source: monero-oxide, crypto/fcmps/ec-gadgets/src/dlog.rs.

/** Two points of a curve, which span the line. */
export type ChallengePoints = readonly [Affine, Affine];

/**
 * Returns two points of a curve from a transcript: a draw gives the parity of both y, and each x is drawn until one has a y. A
 * backend may bring its own `root`, of which either of the two will do.
 */
export function drawChallengePoints(
  transcript: Transcript,
  curve: ShortWeierstrass,
  root: typeof squareRoot = squareRoot,
): ChallengePoints {
  const parities = transcript.challengeBytes()[0] as number;
  const draw = (parity: number): Affine => drawPoint(transcript, curve, parity, root);
  return [draw(parities & 1), draw(parities >> 1)];
}

function drawPoint(
  transcript: Transcript,
  curve: ShortWeierstrass,
  parity: number,
  root: typeof squareRoot,
): Affine {
  for (;;) {
    const x = transcript.challenge(curve.field);
    const y = root(rightSide(curve, x), curve.field);
    if (y === undefined) continue;
    return { x, y: (Number(y & 1n) ^ parity) & 1 ? curve.field - y : y };
  }
}

/** A linear function of a divisor's coefficients, in the order of the tape. */
export interface DivisorForm {
  readonly weights: Weights;
  readonly constant: bigint;
}

/** What the logarithmic derivative of D is at a point: a quotient of two forms. */
export interface Evaluation {
  readonly numerator: DivisorForm;
  readonly denominator: DivisorForm;
}

/** A line y = slope·x + intercept and the evaluations at its three points. */
export interface DiscreteLogChallenge {
  readonly slope: bigint;
  readonly intercept: bigint;
  readonly evaluations: readonly Evaluation[];
}

/** Returns what follows from two points of a curve, for divisors of multiples with `bits` bits. Throws `RefusedProof` if the line is vertical. */
export function discreteLogChallenge(
  [c0, c1]: ChallengePoints,
  curve: ShortWeierstrass,
  bits: number,
): DiscreteLogChallenge {
  const { field } = curve;
  const slope = ((c1.y - c0.y) * invert(c1.x - c0.x, field)) % field;
  const intercept = (c0.y - slope * c0.x) % field;
  const x = mod(slope * slope - c0.x - c1.x, field);
  const c2 = { x, y: mod(slope * x + intercept, field) };
  const evaluations = [c0, c1, c2].map((point) => evaluate(point, curve, slope, bits));
  return { slope, intercept, evaluations };
}

/**
 * With D = d + x + Σ a_i·x^i + y·(b_0 + Σ b_j·x^j): the numerator is 2y·(D_x + D_y·dy/dx), the denominator D·(3x² + a - 2y·slope).
 */
function evaluate(
  { x, y }: Affine,
  curve: ShortWeierstrass,
  slope: bigint,
  bits: number,
): Evaluation {
  const { a, field } = curve;
  const ofB = Math.floor((bits + 2) / 2) - 1;
  const ofA = Math.floor((bits + 1) / 2);
  const powers = powersOf(x, ofA + 1, field);
  const xTo = (i: number): bigint => powers[i] as bigint;
  const tangent = (3n * x * x + a) % field;
  const twoY = (2n * y) % field;
  const dYdX = (tangent * invert(twoY, field)) % field;
  const scale = (tangent - twoY * slope) % field;

  const times = (factor: bigint, values: bigint[]): bigint[] =>
    values.map((value) => mod(factor * (value % field), field));
  const from = (first: number, end: number): number[] =>
    Array.from({ length: end - first }, (_, i) => first + i);
  const derivatives = [
    ...from(0, ofB).map((j) => dYdX * xTo(j) + (j === 0 ? 0n : BigInt(j) * y * xTo(j - 1))),
    ...from(2, ofA + 1).map((i) => BigInt(i) * xTo(i - 1)),
    0n,
  ];
  const values = [
    ...from(0, ofB).map((j) => y * xTo(j)),
    ...from(2, ofA + 1).map((i) => xTo(i)),
    1n,
  ];
  return {
    numerator: { weights: times(twoY, derivatives), constant: twoY },
    denominator: { weights: times(scale, values), constant: mod(scale * x, field) },
  };
}

/** Returns a generator, twice it, four times it and so on, `count` in all. */
export function doublings(
  generator: Affine,
  { a, field }: ShortWeierstrass,
  count: number,
): Affine[] {
  const points = [generator];
  while (points.length < count) {
    const { x, y } = points.at(-1) as Affine;
    const slope = ((3n * x * x + a) * invert(2n * y, field)) % field;
    const doubledX = mod(slope * slope - 2n * x, field);
    points.push({ x: doubledX, y: mod(slope * (x - doubledX) - y, field) });
  }
  return points;
}

/** A line, and the weights of digits for each list of multiples of a generator. */
export interface ClaimLine {
  readonly challenge: DiscreteLogChallenge;
  readonly digitWeights: readonly Weights[];
}

/**
 * Returns what claims of multiples with `bits` bits need of the line through two points, for generators whose `multiples` are
 * given. Throws `RefusedProof` if the line is vertical, or where a denominator is zero.
 */
export function claimLine(
  points: ChallengePoints,
  curve: ShortWeierstrass,
  bits: number,
  multiples: readonly (readonly Affine[])[],
): ClaimLine {
  const challenge = discreteLogChallenge(points, curve, bits);
  const weightsOf = (each: readonly Affine[]): bigint[] =>
    digitWeights(challenge, each, curve.field);
  return { challenge, digitWeights: multiples.map(weightsOf) };
}

/**
 * Returns the weight of each digit: 1/(intercept - (Y - slope·X)) with the multiple (X, Y) of the generator that it counts.
 * Throws `RefusedProof` if one of them lies on the line.
 */
function digitWeights(
  { slope, intercept }: DiscreteLogChallenge,
  multiples: readonly Affine[],
  field: bigint,
): bigint[] {
  const denominators = multiples.map(({ x, y }) => mod(intercept - (y - slope * x), field));
  if (denominators.includes(0n)) throw new RefusedProof('a multiple of a generator on the line');
  return invertAll(denominators, field);
}
