import { bytesToHex } from '@noble/hashes/utils.js';
import { createReferenceBackend } from '../reference/backend.ts';
import type { BulletproofPlusProof, ClsagProof, CryptoBackend, RingPoint } from '../types.ts';
import { decodePoint, H_BYTES, Point } from '../curve/point.ts';
import { exampleClsag } from './clsag-signer.ts';
import { proveBorromean } from './borromean-prover.ts';
import { recordedTransactions } from './fixtures.ts';
import { byteFields, replaceAt } from './mutations.ts';
import {
  oddEncoding,
  oddPoint,
  oddScalarBytes,
  pick,
  randomBelow,
  TORSION_SUBGROUP,
} from './odd-inputs.ts';
import { oldProofs } from './old-fixtures.ts';
import { exampleMlsag, exampleRingSignature } from './old-signers.ts';
import { createTestRandom, type TestRandom } from './random.ts';

/**
 * How many inputs to try, and where they start: `DIFFERENTIAL_CASES` (200 by default, which takes seconds) and
 * `DIFFERENTIAL_SEED` in the environment. Checks that are dear to the reference try a fraction of them.
 */
export const CASES = Number(process.env['DIFFERENTIAL_CASES'] ?? 200);
export const SEED = process.env['DIFFERENTIAL_SEED'] ?? 'differential';
/** Milliseconds; jest's own limit is too short for many cases. */
export const TIME_LIMIT = 10_000 + 100 * CASES;

export function fraction(divisor: number): number {
  return Math.ceil(CASES / divisor);
}

function mutateClsag(proof: ClsagProof, random: TestRandom): ClsagProof {
  const index = randomBelow(random, proof.ring.length);
  const member = proof.ring[index] as RingPoint;
  const withMember = (change: Partial<RingPoint>) => ({
    ...proof,
    ring: replaceAt(proof.ring, index, { ...member, ...change }),
  });
  switch (randomBelow(random, 8)) {
    case 0:
      return { ...proof, keyImage: oddEncoding(random) };
    case 1:
      return { ...proof, D: oddEncoding(random) };
    case 2:
      return { ...proof, pseudoOut: oddEncoding(random) };
    case 3:
      return withMember({ key: oddEncoding(random) });
    case 4:
      return withMember({ commitment: oddEncoding(random) });
    case 5:
      return { ...proof, c1: oddScalarBytes(random) };
    case 6:
      return { ...proof, s: replaceAt(proof.s, index, oddScalarBytes(random)) };
    default:
      return proof;
  }
}

function mutateRangeProof(proof: BulletproofPlusProof, random: TestRandom): BulletproofPlusProof {
  const field = pick(random, ['A', 'A1', 'B', 'r1', 's1', 'd1', 'L', 'R', 'commitments', '']);
  switch (field) {
    case 'A':
    case 'A1':
    case 'B': {
      const torsion = pick(random, TORSION_SUBGROUP);
      const shifted = (decodePoint(proof[field]) as Point).add(torsion).toBytes();
      return { ...proof, [field]: randomBelow(random, 2) ? shifted : oddEncoding(random) };
    }
    case 'r1':
    case 's1':
    case 'd1':
      return { ...proof, [field]: oddScalarBytes(random) };
    case 'L':
    case 'R':
    case 'commitments': {
      const index = randomBelow(random, proof[field].length);
      return { ...proof, [field]: replaceAt(proof[field], index, oddEncoding(random)) };
    }
    default:
      return proof;
  }
}

/** Some byte array in a proof replaced by one of the same length that may or may not make sense there. */
function mutate<T>(proof: T, random: TestRandom): T {
  const { bytes, replace } = pick(random, [...byteFields(proof)]);
  if (bytes.length === 32 && randomBelow(random, 2) === 0) return replace(oddEncoding(random));
  const changed = bytes.slice();
  changed.set(oddScalarBytes(random), randomBelow(random, bytes.length / 32) * 32);
  return replace(changed);
}

/** Asks a backend and the reference the same questions and compares what they say. */
export function describeDifferential(name: string, make: () => CryptoBackend): void {
  describe(`${name} backend against the reference, ${CASES} cases from '${SEED}'`, () => {
    const backend = make();
    const reference = createReferenceBackend();

    test(
      'keccak256 and hashToPoint',
      () => {
        const random = createTestRandom(`${SEED} hash`);
        const longest = random.bytes().length * 40;
        const data = Uint8Array.from({ length: longest }, () => 0);
        for (let at = 0; at < longest; at += 32) data.set(random.bytes(), at);
        for (let i = 0; i < CASES; i++) {
          const input = data.subarray(randomBelow(random, 32)).subarray(0, i % (longest - 32));
          const [hash, point] = [backend.keccak256(input), backend.hashToPoint(input)];
          expect(bytesToHex(hash)).toBe(bytesToHex(reference.keccak256(input)));
          expect(bytesToHex(point)).toBe(bytesToHex(reference.hashToPoint(input)));
        }
      },
      TIME_LIMIT,
    );

    test(
      'isPoint',
      () => {
        const random = createTestRandom(`${SEED} point`);
        for (let i = 0; i < 4 * CASES; i++) {
          const encoded = oddEncoding(random);
          const expected = reference.isPoint(encoded);
          expect([bytesToHex(encoded), backend.isPoint(encoded)]).toEqual([
            bytesToHex(encoded),
            expected,
          ]);
        }
      },
      TIME_LIMIT,
    );

    test(
      'isValidKeyImage',
      () => {
        const random = createTestRandom(`${SEED} key image`);
        const seen = new Set<boolean>();
        for (let i = 0; i < fraction(2); i++) {
          const encoded = i % 3 ? oddEncoding(random) : oddPoint(random);
          const expected = reference.isValidKeyImage(encoded);
          seen.add(expected);
          expect([bytesToHex(encoded), backend.isValidKeyImage(encoded)]).toEqual([
            bytesToHex(encoded),
            expected,
          ]);
        }
        expect(seen.size).toBe(2);
      },
      TIME_LIMIT,
    );

    test(
      'commitToAmount and verifyBalance',
      () => {
        const random = createTestRandom(`${SEED} balance`);
        const H = Point.fromBytes(H_BYTES);
        const sum = (encoded: readonly Uint8Array[]) =>
          encoded.reduce((total, bytes) => total.add(decodePoint(bytes) as Point), Point.ZERO);
        for (let i = 0; i < fraction(3); i++) {
          const amount = BigInt.asUintN(64, random.scalar()) >> BigInt(randomBelow(random, 65));
          const commitment = reference.commitToAmount(amount);
          expect(bytesToHex(backend.commitToAmount(amount))).toBe(bytesToHex(commitment));
          // Outputs that make up the difference, now and then with torsion too much or something that is no point.
          const inputs = Array.from({ length: randomBelow(random, 4) }, () => oddPoint(random));
          const outputs = Array.from({ length: randomBelow(random, 3) }, () => oddPoint(random));
          const rest = sum(inputs).subtract(sum(outputs)).subtract(H.multiplyUnsafe(amount));
          const spoiled = pick(random, [
            rest.toBytes(),
            rest.add(pick(random, TORSION_SUBGROUP)).toBytes(),
            oddEncoding(random),
          ]);
          const statement = { inputs, outputs: [...outputs, spoiled], fee: amount };
          expect(backend.verifyBalance(statement)).toBe(reference.verifyBalance(statement));
        }
      },
      TIME_LIMIT,
    );

    test(
      'verifyClsag',
      () => {
        const random = createTestRandom(`${SEED} clsag`);
        const seen = new Set<boolean>();
        for (let i = 0; i < fraction(8); i++) {
          const ringSize = 1 + randomBelow(random, 3);
          const chance = () => randomBelow(random, 3) === 0;
          const honest = exampleClsag(random, {
            ringSize,
            index: randomBelow(random, ringSize),
            torsionInD: chance(),
            torsionInOwnKey: chance(),
            torsionInDecoyKey: chance(),
            torsionInDecoyCommitment: chance(),
          });
          const batch = [honest, mutateClsag(honest, random), mutateClsag(honest, random)];
          const expected = reference.verifyClsag(batch);
          for (const verdict of expected) seen.add(verdict);
          expect(backend.verifyClsag(batch)).toEqual(expected);
        }
        expect(seen.size).toBe(2);
      },
      TIME_LIMIT,
    );

    test(
      'verifyBulletproofPlus',
      () => {
        const random = createTestRandom(`${SEED} range proof`);
        const proofs = recordedTransactions()
          .map((tx) => tx.rangeProof)
          .filter((proof) => proof.commitments.length < 4);
        const seen = new Set<boolean>();
        for (let i = 0; i < fraction(20); i++) {
          const proof = pick(random, proofs);
          const batch = [i % 5 ? mutateRangeProof(proof, random) : proof];
          if (randomBelow(random, 4) === 0)
            batch.push(mutateRangeProof(pick(random, proofs), random));
          const expected = reference.verifyBulletproofPlus(batch);
          seen.add(expected);
          expect(backend.verifyBulletproofPlus(batch)).toBe(expected);
        }
        expect(seen.size).toBe(2);
      },
      TIME_LIMIT,
    );

    test(
      'verifyRingSignature and verifyMlsag',
      () => {
        const random = createTestRandom(`${SEED} old signatures`);
        const seen = new Set<boolean>();
        for (let i = 0; i < fraction(20); i++) {
          const ringSize = 2 + randomBelow(random, 3);
          const index = randomBelow(random, ringSize);
          const v1 = exampleRingSignature(random, { ringSize, index });
          const fee = BigInt(randomBelow(random, 1000));
          const mlsag = exampleMlsag(random, { ringSize, index, inputs: 1 + (i % 2), fee });
          const ringSignatures = [v1, mutate(v1, random), mutate(v1, random)];
          const mlsags = [mlsag, mutate(mlsag, random), mutate(mlsag, random)];
          const expected = [
            ...reference.verifyRingSignature(ringSignatures),
            ...reference.verifyMlsag(mlsags),
          ];
          for (const verdict of expected) seen.add(verdict);
          expect([
            ...backend.verifyRingSignature(ringSignatures),
            ...backend.verifyMlsag(mlsags),
          ]).toEqual(expected);
        }
        expect(seen.size).toBe(2);
      },
      TIME_LIMIT,
    );

    test(
      'verifyBorromean and verifyBulletproof',
      () => {
        const random = createTestRandom(`${SEED} old range proofs`);
        const { bulletproofs } = oldProofs();
        for (let i = 0; i < fraction(100); i++) {
          const amount = BigInt.asUintN(64, random.scalar());
          const options = { unreduced: i % 2 === 0 };
          const proof = proveBorromean({ amount, mask: random.scalar() }, random, options);
          const proofs = [proof, mutate(proof, random)];
          expect(backend.verifyBorromean(proofs)).toEqual(reference.verifyBorromean(proofs));
        }
        for (let i = 0; i < fraction(40); i++) {
          const proof = mutate(pick(random, bulletproofs), random);
          expect(backend.verifyBulletproof([proof])).toBe(reference.verifyBulletproof([proof]));
        }
      },
      TIME_LIMIT,
    );
  });
}
