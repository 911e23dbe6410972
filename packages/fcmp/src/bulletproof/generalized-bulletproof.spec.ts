import { hexToBytes } from '@noble/hashes/utils.js';
import { sampled } from '@monero-node/base/testing';
import type { ConstraintSink, Term } from '../circuit/circuit.ts';
import { elementBytes } from '../curves/fields.ts';
import { generatorsOf } from '../tree/hash.ts';
import { readFixture } from '../testing/fixtures.ts';
import { ProofReader } from '../proof-reader.ts';
import { REFERENCE_BACKEND } from '../backend/reference.ts';
import { CurveEquation } from './equation.ts';
import {
  addGeneralizedBulletproof,
  readGeneralizedBulletproof,
} from './generalized-bulletproof.ts';

type Hex = string;
type Weight = [index: number, weight: Hex];
interface Vector {
  readonly curve: 'Helios' | 'Selene';
  readonly description: string;
  readonly n: number;
  readonly vector_commitments: number;
  /** To one value each. */
  readonly commitments: number;
  readonly context: Hex;
  readonly proof: Hex;
  readonly statement: { constraints: Constraint[] };
  readonly challenges: Hex[];
  readonly wrong_statement: object | null;
  readonly flips: { offset: number; xor: number }[];
}
interface Constraint {
  readonly WL: Weight[];
  readonly WR: Weight[];
  readonly WO: Weight[];
  readonly WCG: Record<string, Weight[]>;
  readonly WV: Weight[];
  readonly c: Hex;
}

const vectors = readFixture<Vector[]>('bulletproofs');
const number = (hex: Hex): bigint =>
  BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`);

function termsOf({ WL, WR, WO, WCG, WV }: Constraint): Term[] {
  const ofGates = (side: 'aL' | 'aR' | 'aO', weights: Weight[]): Term[] =>
    weights.map(([gate, weight]) => [{ side, gate }, number(weight)]);
  const ofCommitments = Object.entries(WCG).flatMap(([commitment, weights]) =>
    weights.map(([slot, weight]): Term => [
      { side: 'C', commitment: Number(commitment), slot },
      number(weight),
    ]),
  );
  const ofValues = WV.map(([commitment, weight]): Term => [
    { side: 'V', commitment },
    number(weight),
  ]);
  return [
    ...ofGates('aL', WL),
    ...ofGates('aR', WR),
    ...ofGates('aO', WO),
    ...ofCommitments,
    ...ofValues,
  ];
}

/** Adds a proof to a batch, and returns its challenges; `addend` is added to the constant of the last constraint. */
function add(equation: CurveEquation, vector: Vector, bytes: Uint8Array, addend = 0n): Hex[] {
  const { curve } = equation.generators;
  const reader = new ProofReader(hexToBytes(vector.context), bytes, REFERENCE_BACKEND);
  const commitments = reader.commitments(curve, vector.vector_commitments, vector.commitments);
  const proof = readGeneralizedBulletproof(reader, curve, vector.n, commitments);
  expect(reader.isAtEnd).toBe(true);
  const { constraints } = vector.statement;
  addGeneralizedBulletproof(equation, proof, (sink: ConstraintSink) => {
    for (const [i, constraint] of constraints.entries()) {
      const extra = i === constraints.length - 1 ? addend : 0n;
      sink({ terms: termsOf(constraint), constant: number(constraint.c) + extra });
    }
  });
  const { y, z, x, u, rounds } = proof;
  return [y, z, x, u, ...rounds.map(({ e }) => e)].map((challenge) =>
    Buffer.from(elementBytes(challenge)).toString('hex'),
  );
}

function isValid(vector: Vector, bytes: Uint8Array, addend = 0n): boolean {
  const equation = new CurveEquation(generatorsOf(vector.curve), REFERENCE_BACKEND);
  try {
    add(equation, vector, bytes, addend);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  return equation.holds();
}

it.each(['Helios', 'Selene'] as const)(
  'accepts the proofs of upstream on %s as a batch',
  (curve) => {
    const equation = new CurveEquation(generatorsOf(curve), REFERENCE_BACKEND);
    for (const vector of vectors.filter((each) => each.curve === curve)) {
      expect(add(equation, vector, hexToBytes(vector.proof))).toEqual(vector.challenges);
    }
    expect(equation.holds()).toBe(true);
  },
);

it.each(sampled(vectors, 7))(
  '$curve: $description: alone, changed, and with a wrong statement',
  (vector) => {
    const bytes = hexToBytes(vector.proof);
    expect(isValid(vector, bytes)).toBe(true);
    if (vector.wrong_statement !== null) expect(isValid(vector, bytes, 1n)).toBe(false);
    for (const { offset, xor } of sampled(vector.flips, 20)) {
      const changed = bytes.slice();
      changed[offset] = (changed[offset] as number) ^ xor;
      expect(isValid(vector, changed)).toBe(false);
    }
  },
);
