import { sampled } from '@monero-node/base/testing';
import type { CryptoBackend, MlsagProof } from '../types.ts';
import { proveBorromean } from './borromean-prover.ts';
import {
  addGroupOrder,
  addTorsion,
  byteFields,
  flipBit,
  replaceAt,
  TORSION_POINT,
} from './mutations.ts';
import { oldProofs } from './old-fixtures.ts';
import { exampleMlsag, exampleRingSignature } from './old-signers.ts';
import { createTestRandom } from './random.ts';

const IDENTITY = Uint8Array.of(1, ...new Uint8Array(31));
const NO_POINT = new Uint8Array(32).fill(0xff);

/** Returns every alteration, with its name, of every `fieldStep`th field. */
function* alterations<T>(proof: T, fieldStep: number): Iterable<{ name: string; altered: T }> {
  for (const [i, { name, bytes, replace }] of [...byteFields(proof)].entries()) {
    if (i % fieldStep > 0) continue;
    const changes: [string, Uint8Array][] = [
      ['bit', flipBit(bytes, 3 + (i % 240))],
      ['top bit', flipBit(bytes, 255)],
      ['short', bytes.slice(1)],
      ['long', Uint8Array.of(...bytes, 0)],
      ['no point', NO_POINT],
    ];
    for (const [what, changed] of changes) {
      yield { name: `${name} ${what}`, altered: replace(changed) };
    }
  }
}

/** How many of the possible inputs are tried. */
interface Sample {
  /** See `describeCryptoBackend`. */
  readonly step: number;
  /** Leaves out some fields of a proof or patterns of a batch on every backend, for proofs that take long; 1 by default. */
  readonly every?: number;
}

/** Returns the names of the alterations that a verifier accepts. */
function accepted<T>(
  proof: T,
  verify: (proof: T) => boolean,
  { step, every = 1 }: Sample,
): string[] {
  return sampled(alterations(proof, every), step)
    .filter(({ altered }) => verify(altered))
    .map(({ name }) => name);
}

/**
 * Returns the answers for batches in which refused proofs come before, between and after good ones, and those expected.
 *
 * @param bad proofs that are refused, for different reasons
 * @param sample which of the 31 patterns
 */
function mixedBatches<T>(
  good: readonly T[],
  bad: readonly T[],
  verify: (batch: readonly T[]) => readonly boolean[],
  { step, every = 1 }: Sample,
): { readonly answers: boolean[][]; readonly expected: boolean[][] } {
  const answers: boolean[][] = [];
  const expected: boolean[][] = [];
  const patterns = Array.from({ length: Math.ceil(31 / every) }, (_, i) => 1 + i * every);
  for (const pattern of sampled(patterns, step)) {
    const wanted = Array.from({ length: 5 }, (_, i) => ((pattern >> i) & 1) === 1);
    const from = (list: readonly T[], i: number) => list[(pattern + i) % list.length] as T;
    answers.push([...verify(wanted.map((isGood, i) => from(isGood ? good : bad, i)))]);
    expected.push(wanted);
  }
  return { answers, expected };
}

function describeRingSignatures(backend: CryptoBackend, step: number): void {
  const { ringSignatures } = oldProofs();
  const verify = (proof: (typeof ringSignatures)[0]) => backend.verifyRingSignature([proof])[0];
  const proof = ringSignatures.find(({ ring }) => ring.length === 3) as (typeof ringSignatures)[0];

  test('accepts those of real transactions, over rings of 1 to 6', () => {
    expect(new Set(ringSignatures.map(({ ring }) => ring.length))).toEqual(new Set([1, 2, 3, 6]));
    expect(backend.verifyRingSignature(ringSignatures)).toEqual(ringSignatures.map(() => true));
    expect(backend.verifyRingSignature([])).toEqual([]);
  });

  test('answers in order where some are refused', () => {
    const { keyImage, signatures } = proof;
    const bad = [
      { ...proof, keyImage: NO_POINT },
      { ...proof, keyImage: addTorsion(keyImage) },
      { ...proof, message: flipBit(proof.message, 3) },
      { ...proof, ring: replaceAt(proof.ring, 1, NO_POINT) },
      { ...proof, signatures: signatures.slice(1) },
    ];
    const verifyAll = (batch: Parameters<CryptoBackend['verifyRingSignature']>[0]) =>
      backend.verifyRingSignature(batch);
    const { answers, expected } = mixedBatches(ringSignatures, bad, verifyAll, { step });
    expect(answers).toEqual(expected);
  });

  test('rejects a proof with any field altered', () => {
    expect(accepted(proof, (changed) => verify(changed) === true, { step })).toEqual([]);
  });

  test.each([
    [1, 0],
    [2, 1],
    [5, 2],
  ])('accepts one made here: a ring of %i with torsion, position %i', (ringSize, index) => {
    const random = createTestRandom(`ring signature ${ringSize}`);
    expect(verify(exampleRingSignature(random, { ringSize, index }))).toBe(true);
  });

  test('rejects scalars that are not canonical, lists of different lengths and an empty ring', () => {
    const [first, ...rest] = proof.signatures as [Uint8Array, Uint8Array];
    const [c, r] = [first.slice(0, 32), first.slice(32)];
    const written = (signature: number[]) => ({
      ...proof,
      signatures: [Uint8Array.from(signature), ...rest],
    });
    expect(verify(written([...c, ...r]))).toBe(true);
    expect(verify(written([...addGroupOrder(c), ...r]))).toBe(false);
    expect(verify(written([...c, ...addGroupOrder(r)]))).toBe(false);
    expect(verify({ ...proof, signatures: rest })).toBe(false);
    expect(verify({ ...proof, ring: proof.ring.slice(1) })).toBe(false);
    expect(verify({ ...proof, ring: [], signatures: [] })).toBe(false);
    expect(verify({ ...proof, keyImage: addTorsion(proof.keyImage) })).toBe(false);
  });
}

function describeMlsags(backend: CryptoBackend, step: number): void {
  const { mlsags } = oldProofs();
  const verify = (proof: MlsagProof) => backend.verifyMlsag([proof])[0];
  const full = mlsags.find(({ keyImages }) => keyImages.length === 2) as MlsagProof;
  const simple = mlsags.find(({ fee }) => fee === 0n) as MlsagProof;

  test('accepts those of real transactions', () => {
    expect(backend.verifyMlsag(mlsags)).toEqual(mlsags.map(() => true));
    expect(backend.verifyMlsag([])).toEqual([]);
  });

  test('answers in order where some are refused', () => {
    const bad = [
      { ...full, keyImages: replaceAt(full.keyImages, 0, NO_POINT) },
      { ...simple, message: flipBit(simple.message, 3) },
      { ...full, fee: full.fee + 1n },
      { ...simple, cc: addGroupOrder(simple.cc) },
      { ...full, ss: full.ss.slice(1) },
    ];
    const verifyAll = (batch: Parameters<CryptoBackend['verifyMlsag']>[0]) =>
      backend.verifyMlsag(batch);
    const { answers, expected } = mixedBatches(mlsags, bad, verifyAll, { step });
    expect(answers).toEqual(expected);
  });

  test.each([
    ['one input', simple],
    ['two inputs together', full],
  ])('rejects a proof with any field altered: %s', (_, proof) => {
    expect(accepted(proof, (changed) => verify(changed) === true, { step })).toEqual([]);
  });

  test.each([
    [2, 0, 1, 0n],
    [2, 1, 3, 12345n],
    [5, 4, 1, 0n],
    [4, 1, 2, 2n ** 64n - 1n],
  ])(
    'accepts one made here: a ring of %i with torsion, position %i, %i inputs, fee %i',
    (ringSize, index, inputs, fee) => {
      const random = createTestRandom(`mlsag ${ringSize} ${index}`);
      expect(verify(exampleMlsag(random, { ringSize, index, inputs, fee }))).toBe(true);
    },
  );

  test('subtracts the offsets as a sum, the fee included', () => {
    expect(verify({ ...full, offsets: [...full.offsets].reverse() })).toBe(true);
    expect(verify({ ...full, offsets: full.offsets.slice(1) })).toBe(false);
    expect(verify({ ...full, fee: full.fee + 1n })).toBe(false);
    expect(verify({ ...full, fee: full.fee - 2n ** 64n })).toBe(false);
    expect(verify({ ...full, fee: -full.fee })).toBe(false);
    expect(verify({ ...simple, offsets: [...simple.offsets, IDENTITY] })).toBe(true);
    expect(verify({ ...simple, offsets: [...simple.offsets, TORSION_POINT.toBytes()] })).toBe(
      false,
    );
  });

  test('rejects wrong sizes and scalars that are not canonical', () => {
    const { ring, ss, keyImages } = full;
    const [first, ...others] = ss as [Uint8Array[], ...Uint8Array[][]];
    const addToScalar = (i: number) => [replaceAt(first, i, addGroupOrder(first[i] as never))];
    for (const changed of [
      { ring: [], ss: [] },
      { ring: ring.slice(0, 1), ss: ss.slice(0, 1) },
      { ring: ring.slice(1) },
      { ss: ss.slice(1) },
      { ss: [first.slice(1), ...others] },
      { ss: [[...first, IDENTITY], ...others] },
      { ring: [ring[0]?.slice(1), ...ring.slice(1)] as never },
      { keyImages: keyImages.slice(1) },
      { keyImages: [...keyImages].reverse() },
      { keyImages: [], ring: ring.map(() => []), ss: ss.map(() => [IDENTITY]) },
      { keyImages: replaceAt(keyImages, 0, IDENTITY) },
      { cc: addGroupOrder(full.cc) },
      { ss: [...addToScalar(0), ...others] },
      { ss: [...addToScalar(2), ...others] },
    ]) {
      expect(verify({ ...full, ...changed })).toBe(false);
    }
  });
}

function describeBorromean(backend: CryptoBackend, step: number): void {
  const { borromeans } = oldProofs();
  const verify = (proof: (typeof borromeans)[0]) => backend.verifyBorromean([proof])[0];
  const random = createTestRandom('borromean');
  const opening = { amount: 0xc0de_0000_1234_5678n, mask: random.scalar() };
  const made = proveBorromean(opening, random);

  test('accepts those of real transactions', () => {
    expect(borromeans.length).toBeGreaterThan(1);
    expect(backend.verifyBorromean(borromeans)).toEqual(borromeans.map(() => true));
    expect(backend.verifyBorromean([])).toEqual([]);
  });

  test('answers in order where some are refused', () => {
    const [first] = borromeans as [(typeof borromeans)[0]];
    const bad = [
      { ...first, commitment: NO_POINT },
      { ...made, ee: addGroupOrder(made.ee) },
      { ...first, Ci: replaceAt(first.Ci, 63, NO_POINT) },
      { ...first, s0: first.s1, s1: first.s0 },
      { ...first, Ci: first.Ci.slice(1) },
    ];
    const good = [...borromeans, made];
    const verifyAll = (batch: readonly (typeof made)[]) => backend.verifyBorromean(batch);
    const { answers, expected } = mixedBatches(good, bad, verifyAll, { step, every: 3 });
    expect(answers).toEqual(expected);
  });

  test('rejects a proof with any field altered', () => {
    const [proof] = borromeans as [(typeof borromeans)[0]];
    expect(accepted(proof, (changed) => verify(changed) === true, { step, every: 29 })).toEqual([]);
    expect(verify({ ...proof, s0: proof.s1, s1: proof.s0 })).toBe(false);
    for (const list of ['s0', 's1', 'Ci'] as const) {
      expect(verify({ ...proof, [list]: proof[list].slice(1) })).toBe(false);
      expect(verify({ ...proof, [list]: [...proof[list], proof[list][0]] })).toBe(false);
    }
  });

  test('requires only the hash to be canonical', () => {
    const withOrder = (list: readonly Uint8Array[]) => list.map(addGroupOrder);
    expect(verify(made)).toBe(true);
    expect(verify({ ...made, s0: withOrder(made.s0), s1: withOrder(made.s1) })).toBe(true);
    expect(verify({ ...made, ee: addGroupOrder(made.ee) })).toBe(false);
  });

  test('counts scalars with high bits as the recoding of monerod does', () => {
    const unreduced = proveBorromean(opening, random, { unreduced: true });
    const high = [...unreduced.s0, ...unreduced.s1].filter((s) => (s[31] as number) > 0xc0);
    expect(high.length).toBeGreaterThan(20);
    expect(verify(unreduced)).toBe(true);
    const [s] = high as [Uint8Array];
    for (const list of ['s0', 's1'] as const) {
      const index = unreduced[list].indexOf(s);
      if (index >= 0) {
        const changed = replaceAt(unreduced[list], index, flipBit(s, 0));
        expect(verify({ ...unreduced, [list]: changed })).toBe(false);
      }
    }
  });

  test('rejects an amount that is too large and a commitment to another amount', () => {
    const other = proveBorromean({ ...opening, amount: opening.amount + 1n }, random);
    expect(verify({ ...made, commitment: other.commitment })).toBe(false);
    expect(verify({ ...made, commitment: addTorsion(made.commitment) })).toBe(false);
    const Ci = replaceAt(made.Ci, 0, addTorsion(made.Ci[0] as Uint8Array));
    expect(verify({ ...made, Ci, commitment: addTorsion(made.commitment) })).toBe(false);
  });
}

function describeBulletproofs(backend: CryptoBackend, step: number): void {
  const { bulletproofs } = oldProofs();
  type Proof = (typeof bulletproofs)[0];
  const verify = (...batch: Proof[]) => backend.verifyBulletproof(batch);
  const [first, second] = bulletproofs as [Proof, Proof];

  test('accepts those of real transactions, alone and in a batch', () => {
    expect(bulletproofs.map((proof) => proof.commitments.length)).toEqual([2, 4, 2, 2]);
    for (const proof of bulletproofs) expect(verify(proof)).toBe(true);
    expect(verify(...bulletproofs, ...bulletproofs)).toBe(true);
    expect(verify()).toBe(true);
  });

  test('rejects a proof with any field altered', () => {
    expect(accepted(first, (changed) => verify(changed), { step })).toEqual([]);
  });

  test('rejects a batch with one bad proof at any position', () => {
    const fields = ['taux', 'mu', 'a', 'b', 't', 'A', 'S', 'T1', 'T2'] as const;
    for (const field of sampled(fields, step)) {
      const bad = { ...first, [field]: second[field] };
      expect(verify(bad, ...bulletproofs)).toBe(false);
      expect(verify(...bulletproofs, bad)).toBe(false);
    }
  });

  test('rejects scalars that are not canonical', () => {
    for (const field of ['taux', 'mu', 'a', 'b', 't'] as const) {
      expect(verify({ ...first, [field]: addGroupOrder(first[field]) })).toBe(false);
    }
  });

  test('rejects errors that would cancel out in an unweighted sum', () => {
    const shifted = (field: 'taux' | 'mu', by: number) => {
      const changed = first[field].slice();
      const at = changed.findIndex((byte) => byte > 0 && byte < 255);
      changed[at] = (changed[at] as number) + by;
      return { ...first, [field]: changed };
    };
    for (const field of ['taux', 'mu'] as const) {
      expect(verify(shifted(field, 1), shifted(field, -1))).toBe(false);
    }
  });

  test('rejects lists of wrong sizes', () => {
    const { L, R, commitments } = first;
    const cut = (rounds: number) => ({
      L: Array.from({ length: rounds }, (_, i) => L[i % L.length] as Uint8Array),
      R: Array.from({ length: rounds }, (_, i) => R[i % R.length] as Uint8Array),
    });
    for (const rounds of [0, 1, 5, 6, 8, 9, 10, 11, 31, 32]) {
      expect(verify({ ...first, ...cut(rounds) })).toBe(false);
    }
    for (const count of [0, 1, 3, 4, 16, 17]) {
      const many = Array.from({ length: count }, (_, i) => commitments[i % 2] as Uint8Array);
      expect(verify({ ...first, commitments: many })).toBe(false);
    }
    expect(verify({ ...first, R: R.slice(1) })).toBe(false);
    expect(verify({ ...first, commitments: [...commitments].reverse() })).toBe(false);
  });

  test('rejects torsion added to a hashed point', () => {
    for (const field of ['A', 'S', 'T1', 'T2'] as const) {
      expect(verify({ ...first, [field]: addTorsion(first[field]) })).toBe(false);
    }
  });
}

/** Tests the proofs that only old transactions have. `step`: see `describeCryptoBackend`. */
export function describeOldProofs(make: () => CryptoBackend, step: number): void {
  const backend = make();
  describe('ring signatures of version 1', () => describeRingSignatures(backend, step));
  describe('MLSAG', () => describeMlsags(backend, step));
  describe('Borromean range proofs', () => describeBorromean(backend, step));
  describe('Bulletproofs', () => describeBulletproofs(backend, step));
}
