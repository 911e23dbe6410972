import { REFERENCE_BACKEND } from '../backend/reference.ts';
import { mod } from '@noble/curves/abstract/modular.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sampled } from '@monero-node/base/testing';
import { decodeEdPoint, toWei25519 } from '../curves/ed25519.ts';
import { elementBytes } from '../curves/fields.ts';
import { HELIOS, SELENE } from '../curves/helios-selene.ts';
import { contextOf, readMembershipProof } from '../membership-proof.ts';
import { gates } from '@monero-node/codec/fcmp-proof-size';
import {
  type CircuitFixture,
  type ProofFixture,
  readFixture,
  statementOf,
} from '../testing/fixtures.ts';
import { type ConstraintSink, type Linear, termsOf, type Variable } from './circuit.ts';
import { heliosCircuit, type InputTuple, seleneCircuit } from './membership-circuit.ts';

const fixtures = readFixture<ProofFixture[]>('proofs').filter(
  ({ circuits }) => circuits !== undefined,
);
const BLOCK_BYTES = 480;

function read(fixture: ProofFixture): {
  proof: ReturnType<typeof readMembershipProof>;
  context: Uint8Array;
} {
  const { layers, root, pseudoOuts, proof } = statementOf(fixture);
  const tuples = pseudoOuts.map((C, i): InputTuple => {
    const at = (k: number): Uint8Array => {
      const start = i * BLOCK_BYTES + k * 32;
      return proof.subarray(start, start + 32);
    };
    const [O, I, R] = [at(0), at(1), at(2)].map((bytes) => toWei25519(decodeEdPoint(bytes))) as [
      InputTuple['O'],
      InputTuple['I'],
      InputTuple['R'],
    ];
    return { O, I, R, C: toWei25519(decodeEdPoint(C)) };
  });
  const about = { layers, root, tuples };
  const bytes = proof.subarray(pseudoOuts.length * BLOCK_BYTES);
  return {
    proof: readMembershipProof(about, bytes, REFERENCE_BACKEND),
    context: contextOf(about, bytes.subarray(-64, -32)),
  };
}

/** Returns the JSON in which fixtures were hashed: like terms added up, zeros left out, in the order of indices. */
function canonical(constraint: Linear, modulus: bigint): string {
  const sums = new Map<string, [Variable, bigint]>();
  for (const [variable, weight] of termsOf(constraint)) {
    const key = Object.values(variable).join();
    sums.set(key, [variable, (sums.get(key)?.[1] ?? 0n) + weight]);
  }
  const hex = (value: bigint): string => bytesToHex(elementBytes(mod(value, modulus)));
  const indexOf = (variable: Variable): number =>
    'gate' in variable ? variable.gate : 'slot' in variable ? variable.slot : variable.commitment;
  const weights = (isOne: (variable: Variable) => boolean): [number, string][] =>
    [...sums.values()]
      .filter(([variable, weight]) => isOne(variable) && mod(weight, modulus) !== 0n)
      .map(([variable, weight]): [number, string] => [indexOf(variable), hex(weight)])
      .sort(([a], [b]) => a - b);
  const commitments = [...sums.values()].flatMap(([variable]) =>
    variable.side === 'C' ? [variable.commitment] : [],
  );
  const WCG = Object.fromEntries(
    [...new Set(commitments)]
      .sort((a, b) => a - b)
      .map((commitment) => [
        commitment,
        weights((variable) => variable.side === 'C' && variable.commitment === commitment),
      ]),
  );
  const [WL, WR, WO] = (['aL', 'aR', 'aO'] as const).map((side) =>
    weights((variable) => variable.side === side),
  );
  return JSON.stringify({ WL, WR, WO, WCG, WV: [], c: hex(constraint.constant) });
}

const digest = (text: string): string =>
  bytesToHex(blake2b(utf8ToBytes(text), { dkLen: 32 })).slice(0, 16);

it.each(sampled(fixtures, 20))(
  '$name: challenges and every constraint are those of upstream',
  (fixture) => {
    const { proof, context } = read(fixture);
    expect(bytesToHex(context)).toBe(fixture.context);
    // Each draw depends on all before it, so the last one tells of all.
    const last = BigInt(
      `0x${Buffer.from(fixture.challenges?.at(-1) as string, 'hex')
        .reverse()
        .toString('hex')}`,
    );
    expect(proof.helios.rounds.at(-1)?.e).toBe(mod(last, HELIOS.order));

    const [selene, helios] = fixture.circuits as [CircuitFixture, CircuitFixture];
    const used = gates(fixture.pseudoOuts.length, fixture.layers);
    for (const [curve, expected, circuit, gatesUsed] of [
      [SELENE, selene, seleneCircuit, used.selene],
      [HELIOS, helios, heliosCircuit, used.helios],
    ] as const) {
      const digests: string[] = [];
      const sink: ConstraintSink = (constraint) => {
        digests.push(digest(canonical(constraint, curve.order)));
      };
      expect(circuit(proof.statement, sink)).toBe(gatesUsed);
      expect(digests).toEqual(expected.digests);
    }
  },
);
