import { sampled } from '@monero-node/base/testing';
import type { BulletproofPlusProof, CryptoBackend } from '../types.ts';
import { proveBulletproofPlus } from './bulletproof-plus-prover.ts';
import { recordedTransactions } from './fixtures.ts';
import { addGroupOrder, addTorsion, flipBit, replaceAt } from './mutations.ts';
import { createTestRandom } from './random.ts';

type Mutation = [what: string, proof: BulletproofPlusProof];

const POINTS = ['A', 'A1', 'B'] as const;
const SCALARS = ['r1', 's1', 'd1'] as const;
const LISTS = ['L', 'R', 'commitments'] as const;
const NO_POINT = new Uint8Array(32).fill(0xff);

function* fieldMutations(proof: BulletproofPlusProof): Iterable<Mutation> {
  for (const field of [...POINTS, ...SCALARS]) {
    for (const bit of [0, 255]) {
      yield [`${field} bit ${bit}`, { ...proof, [field]: flipBit(proof[field], bit) }];
    }
    yield [`${field} short`, { ...proof, [field]: proof[field].slice(0, 31) }];
    yield [`${field} long`, { ...proof, [field]: Uint8Array.of(...proof[field], 0) }];
  }
  for (const field of POINTS) {
    yield [`${field} torsion`, { ...proof, [field]: addTorsion(proof[field]) }];
    yield [`${field} no point`, { ...proof, [field]: NO_POINT }];
  }
  for (const field of SCALARS) {
    yield [`${field} + l`, { ...proof, [field]: addGroupOrder(proof[field]) }];
  }
}

function* listMutations(proof: BulletproofPlusProof): Iterable<Mutation> {
  for (const field of LISTS) {
    const list = proof[field];
    for (const [i, element] of list.entries()) {
      const changed = (bytes: Uint8Array) => ({ ...proof, [field]: replaceAt(list, i, bytes) });
      yield [`${field} ${i} bit`, changed(flipBit(element, 50))];
      yield [`${field} ${i} sign`, changed(flipBit(element, 255))];
      yield [`${field} ${i} torsion`, changed(addTorsion(element))];
      yield [`${field} ${i} no point`, changed(NO_POINT)];
      yield [`${field} ${i} short`, changed(element.slice(1))];
    }
    yield [`${field} reversed`, { ...proof, [field]: [...list].reverse() }];
    yield [`${field} empty`, { ...proof, [field]: [] }];
    yield [`${field} one short`, { ...proof, [field]: list.slice(1) }];
    yield [`${field} one long`, { ...proof, [field]: [...list, list[0]] }];
  }
}

function* sizeMutations(proof: BulletproofPlusProof): Iterable<Mutation> {
  const { L, R, commitments } = proof;
  for (const rounds of [0, 1, 5, 6, 8, 9, 10, 11, 31, 32]) {
    const cut = (list: readonly Uint8Array[]) =>
      Array.from({ length: rounds }, (_, i) => list[i % list.length] as Uint8Array);
    yield [`${rounds} rounds`, { ...proof, L: cut(L), R: cut(R) }];
  }
  for (const outputs of [0, 3, 4, 5, 8, 16, 17, 64]) {
    const [first] = commitments as [Uint8Array];
    const many = Array.from({ length: outputs }, () => first);
    yield [`${outputs} commitments`, { ...proof, commitments: many }];
  }
}

/** Tests Bulletproof+: real proofs, alone and in batches, our own prover's, and everything that must be rejected. `step`: see `describeCryptoBackend`. */
export function describeBulletproofPlus(make: () => CryptoBackend, step: number): void {
  const backend = make();
  const real = recordedTransactions().map((tx) => tx.rangeProof);
  const verify = (...batch: BulletproofPlusProof[]) => backend.verifyBulletproofPlus(batch);
  const prove = (name: string, amounts: bigint[]) => {
    const random = createTestRandom(name);
    return proveBulletproofPlus(
      amounts.map((amount) => ({ amount, mask: random.scalar() })),
      random,
    );
  };

  test('accepts the proofs of real transactions, alone and in a batch', () => {
    expect(real.map((proof) => proof.commitments.length)).toEqual([2, 3, 16, 2]);
    for (const proof of real) expect(verify(proof)).toBe(true);
    expect(verify(...real)).toBe(true);
    expect(verify(...real, ...real)).toBe(true);
  });

  test('accepts an empty batch', () => {
    expect(verify()).toBe(true);
  });

  test('rejects a batch with one bad proof at any position', () => {
    const [a, b] = real as [BulletproofPlusProof, BulletproofPlusProof];
    const bad = { ...a, d1: b.d1 };
    expect(verify(bad, ...real)).toBe(false);
    expect(verify(...real, bad)).toBe(false);
    expect(verify(a, bad, b)).toBe(false);
    expect(verify(bad, bad)).toBe(false);
  });

  test('rejects errors that would cancel out in an unweighted sum', () => {
    // The equation has d1·G: one proof has one too many, the other one too few.
    const [a] = real as [BulletproofPlusProof];
    const shifted = (by: number) => {
      const d1 = a.d1.slice();
      d1[5] = (d1[5] as number) + by; // a byte that neither carries nor borrows
      return { ...a, d1 };
    };
    expect(a.d1[5]).toBeGreaterThan(0);
    expect(a.d1[5]).toBeLessThan(255);
    expect(verify(shifted(1), shifted(-1))).toBe(false);
  });

  test.each([
    ['zero', [0n]],
    ['the largest amount', [2n ** 64n - 1n]],
    ['two', [1n, 600_000_000_000n]],
    ['three, padded to four', [5n, 2n ** 63n, 0n]],
  ])('accepts an honest proof: %s', (name, amounts) => {
    expect(verify(prove(name, amounts))).toBe(true);
  });

  test('accepts honest proofs of different sizes together', () => {
    expect(verify(prove('one', [1n]), prove('five', [1n, 2n, 3n, 4n, 5n]), ...real)).toBe(true);
  });

  test('rejects proofs of amounts outside 64 bits', () => {
    expect(verify(prove('too large', [2n ** 64n]))).toBe(false);
    expect(verify(prove('negative', [-1n]))).toBe(false);
    expect(verify(prove('sum to zero', [2n ** 64n - 5n, -(2n ** 64n) + 5n]))).toBe(false);
  });

  test('rejects all but the smallest padding, though the equation holds for others', () => {
    const random = createTestRandom('padding');
    const opening = (amount: bigint) => ({ amount, mask: random.scalar() });
    const padded = (paddedOutputs: number, ...amounts: bigint[]) =>
      verify(proveBulletproofPlus(amounts.map(opening), random, { paddedOutputs }));
    expect(padded(1, 5n)).toBe(true);
    expect(padded(2, 5n)).toBe(false);
    expect(padded(4, 5n, 6n)).toBe(false);
    expect(padded(1, 5n, 0n)).toBe(false);
    expect(padded(2, 5n, 6n, 0n)).toBe(false);
  });

  test('rejects a proof with any field altered', () => {
    const proof = prove('altered', [123_456_789n, 42n]);
    expect(verify(proof)).toBe(true);
    const accepted: string[] = [];
    const ofLists = sampled(listMutations(proof), step);
    const mutations = [...fieldMutations(proof), ...ofLists, ...sizeMutations(proof)];
    for (const [what, mutated] of mutations) {
      if (verify(mutated)) accepted.push(what);
    }
    expect(accepted).toEqual([]);
  });

  test('accepts torsion in A and in an output commitment if the prover hashed it', () => {
    const random = createTestRandom('torsion');
    const openings = [{ amount: 7n, mask: random.scalar() }];
    for (const torsion of [['A'], ['commitment'], ['A', 'commitment']] as const) {
      expect(verify(proveBulletproofPlus(openings, random, { torsion }))).toBe(true);
    }
  });
}
