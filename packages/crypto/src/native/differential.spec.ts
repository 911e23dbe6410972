import { numberToBytesLE } from '@noble/curves/utils.js';
import { Fp } from '../curve/field.ts';
import { decodePoint, Point } from '../curve/point.ts';
import { Fn } from '../curve/scalar.ts';
import { createReferenceBackend } from '../reference/backend.ts';
import { proveBulletproofPlus } from '../testing/bulletproof-plus-prover.ts';
import { exampleClsag } from '../testing/clsag-signer.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { addTorsion, flipBit, replaceAt, TORSION_POINT } from '../testing/mutations.ts';
import { createTestRandom } from '../testing/random.ts';
import type { BulletproofPlusProof, ClsagProof } from '../types.ts';
import { loadNativeBackend } from './backend.ts';

// The native backend must answer as the reference does, whatever the bytes. A few cases run every
// time; DIFFERENTIAL_CASES=5000 runs more, DIFFERENTIAL_SEED=anything runs others.
const CASES = Number(process.env['DIFFERENTIAL_CASES'] ?? 48);
const random = createTestRandom(`differential ${process.env['DIFFERENTIAL_SEED'] ?? ''}`);

/** A whole number in [0, limit), limit at most 2^24. */
function below(limit: number): number {
  const [a, b, c, d] = random.bytes() as unknown as [number, number, number, number];
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % limit;
}

function pick<T>(list: readonly T[]): T {
  return list[below(list.length)] as T;
}

function chance(oneIn: number): boolean {
  return below(oneIn) === 0;
}

/** The eight points of small order, encoded, as every sum of the point of order 8. */
const SMALL_ORDER = Array.from({ length: 8 }, (_, k) =>
  TORSION_POINT.multiplyUnsafe(BigInt(k)).toBytes(),
);

function withSign(bytes: Uint8Array): Uint8Array {
  return flipBit(bytes, 255);
}

/** y-coordinates at the edges: near 0, near p, near 2^255; half of them are no points. */
const EDGES: Uint8Array[] = [
  ...Array.from({ length: 40 }, (_, k) => BigInt(k)),
  ...Array.from({ length: 60 }, (_, k) => Fp.ORDER - 40n + BigInt(k)).filter((y) => y < 2n ** 255n),
  2n ** 255n - 1n,
  2n ** 64n,
  2n ** 51n - 1n,
  2n ** 51n,
  2n ** 204n - 1n,
].flatMap((y) => [numberToBytesLE(y, 32), withSign(numberToBytesLE(y, 32))]);

/** Bytes of all the kinds that a point may arrive in. */
function somePoint(): Uint8Array {
  switch (below(8)) {
    case 0:
      return random.bytes();
    case 1:
      return pick(EDGES);
    case 2:
      return pick(SMALL_ORDER);
    case 3:
      return addTorsion(random.point());
    case 4: {
      // Not canonical: y + p instead of y is only possible below 19.
      return numberToBytesLE(Fp.ORDER + BigInt(below(19)), 32);
    }
    case 5: {
      const sum = (decodePoint(random.point()) as Point).add(
        TORSION_POINT.multiplyUnsafe(BigInt(below(8))),
      );
      return sum.toBytes();
    }
    default:
      return random.point();
  }
}

/** Scalars: random ones and the edges, canonical and not. */
function someScalar(): Uint8Array {
  const edges = [0n, 1n, 2n, 8n, Fn.ORDER - 1n, Fn.ORDER, Fn.ORDER + 1n, 2n ** 252n, 2n ** 255n];
  if (chance(3)) return numberToBytesLE(pick(edges), 32);
  if (chance(4)) return new Uint8Array(32).fill(pick([0x88, 0x80, 0x7f, 0xff, 0x0f, 0x08]));
  return chance(3) ? random.bytes() : numberToBytesLE(random.scalar(), 32);
}

function mutateBytes(bytes: Uint8Array, other: () => Uint8Array): Uint8Array {
  switch (below(4)) {
    case 0:
      return flipBit(bytes, below(256));
    case 1:
      return chance(4) ? bytes.slice(0, below(32)) : withSign(bytes);
    case 2:
      return decodePoint(bytes) === undefined ? other() : addTorsion(bytes);
    default:
      return other();
  }
}

function mutateClsag(proof: ClsagProof): ClsagProof {
  const at = below(proof.ring.length);
  const member = proof.ring[at] as ClsagProof['ring'][0];
  const s = proof.s[at] as Uint8Array;
  switch (below(8)) {
    case 0:
      return { ...proof, keyImage: mutateBytes(proof.keyImage, somePoint) };
    case 1:
      return { ...proof, D: mutateBytes(proof.D, somePoint) };
    case 2:
      return { ...proof, pseudoOut: mutateBytes(proof.pseudoOut, somePoint) };
    case 3:
      return { ...proof, c1: mutateBytes(proof.c1, someScalar) };
    case 4:
      return { ...proof, s: replaceAt(proof.s, at, mutateBytes(s, someScalar)) };
    case 5: {
      const changed = { ...member, key: mutateBytes(member.key, somePoint) };
      return { ...proof, ring: replaceAt(proof.ring, at, changed) };
    }
    case 6: {
      const changed = { ...member, commitment: mutateBytes(member.commitment, somePoint) };
      return { ...proof, ring: replaceAt(proof.ring, at, changed) };
    }
    default:
      return { ...proof, message: random.bytes() };
  }
}

function someClsag(): ClsagProof {
  const ringSize = pick([1, 1, 2, 2, 2, 3, 4, 5]);
  const proof = exampleClsag(random, {
    ringSize,
    index: below(ringSize),
    torsionInD: chance(4),
    torsionInKeyImage: chance(4),
    torsionInOwnKey: chance(4),
    torsionInDecoyKey: chance(4),
    torsionInDecoyCommitment: chance(4),
  });
  return chance(3) ? mutateClsag(proof) : proof;
}

function mutateRangeProof(proof: BulletproofPlusProof): BulletproofPlusProof {
  const field = pick(['A', 'A1', 'B', 'r1', 's1', 'd1', 'L', 'R', 'commitments'] as const);
  const value = proof[field];
  if (value instanceof Uint8Array) {
    const isScalar = field === 'r1' || field === 's1' || field === 'd1';
    return { ...proof, [field]: mutateBytes(value, isScalar ? someScalar : somePoint) };
  }
  const list = value as readonly Uint8Array[];
  const at = below(list.length);
  const changed = mutateBytes(list[at] as Uint8Array, somePoint);
  return { ...proof, [field]: replaceAt(list, at, changed) };
}

const reference = createReferenceBackend();
const paths = [
  ['portable', loadNativeBackend({ ifma: false })],
  ['AVX-512 IFMA', loadNativeBackend()],
] as const;

for (const [name, backend] of paths) {
  const why = name === 'portable' ? 'the addon is not built' : 'no AVX-512 IFMA here';
  if (backend === undefined || (name !== 'portable' && backend.detail !== 'avx512-ifma')) {
    describe(`native ${name} against the reference`, () => {
      test.skip(`not tested: ${why}`, () => {});
    });
    continue;
  }

  describe(`native ${name} against the reference`, () => {
    test('Keccak and hash to point, of every length around the block size', () => {
      for (let length = 0; length < 300; length++) {
        const data = new Uint8Array(length).map(() => below(256));
        expect(backend.keccak256(data)).toEqual(reference.keccak256(data));
        if (length % 25 === 0) {
          expect(backend.hashToPoint(data)).toEqual(reference.hashToPoint(data));
        }
      }
      for (let i = 0; i < CASES; i++) {
        const data = random.bytes();
        expect(backend.hashToPoint(data)).toEqual(reference.hashToPoint(data));
      }
    });

    test('points and key images', () => {
      const encodings = [...EDGES, ...SMALL_ORDER, ...SMALL_ORDER.map(withSign)];
      for (let i = 0; i < CASES; i++) encodings.push(somePoint());
      for (const bytes of encodings) {
        const expected = [bytes, reference.isPoint(bytes), reference.isValidKeyImage(bytes)];
        expect([bytes, backend.isPoint(bytes), backend.isValidKeyImage(bytes)]).toEqual(expected);
      }
    });

    test('commitments and balances', () => {
      for (let i = 0; i < CASES; i++) {
        const amount = BigInt.asUintN(pick([1, 8, 16, 33, 63, 64]), random.scalar());
        expect(backend.commitToAmount(amount)).toEqual(reference.commitToAmount(amount));
        // Balances but for what is done to one of the points.
        const inputs = [random.point(), addTorsion(random.point())];
        const fee = decodePoint(reference.commitToAmount(amount)) as Point;
        const rest = inputs
          .reduce((sum, bytes) => sum.add(decodePoint(bytes) as Point), Point.ZERO)
          .subtract(fee.subtract(Point.BASE));
        const output = chance(2) ? rest.toBytes() : addTorsion(rest.toBytes());
        const statement = {
          inputs: chance(3) ? replaceAt(inputs, 0, somePoint()) : inputs,
          outputs: [output],
          fee: chance(8) ? amount ^ 1n : amount,
        };
        expect(backend.verifyBalance(statement)).toBe(reference.verifyBalance(statement));
      }
    });

    test('CLSAG: honest, with torsion and altered, in batches of mixed ring sizes', () => {
      let accepted = 0;
      for (let done = 0; done < CASES;) {
        const batch = Array.from({ length: 1 + below(24) }, someClsag);
        const expected = reference.verifyClsag(batch);
        expect(backend.verifyClsag(batch)).toEqual(expected);
        accepted += expected.filter(Boolean).length;
        done += batch.length;
      }
      expect(accepted).toBeGreaterThan(0);
    });

    test('CLSAG: every number of signatures over one ring size', () => {
      const recorded = recordedTransactions().flatMap((tx) => tx.clsags);
      for (let count = 1; count <= 20; count++) {
        const batch = Array.from({ length: count }, (_, i) => recorded[i % recorded.length]);
        const bad = below(count);
        const altered = batch.map((proof, i) =>
          i === bad ? { ...proof, message: random.bytes() } : proof,
        ) as ClsagProof[];
        expect(backend.verifyClsag(altered)).toEqual(batch.map((_, i) => i !== bad));
      }
    });

    test('Bulletproof+: altered proofs of every kind', () => {
      const torsion = { torsion: ['A', 'commitment'] as const };
      const openings = [{ amount: 1n, mask: random.scalar() }];
      const proofs = [
        ...recordedTransactions().map((tx) => tx.rangeProof),
        proveBulletproofPlus(openings, random, torsion),
      ].filter((proof) => proof.commitments.length <= 3);
      // The reference takes a third of a second for one.
      for (let i = 0; i < CASES / 8; i++) {
        const proof = pick(proofs);
        const altered = chance(6) ? proof : mutateRangeProof(proof);
        const expected = reference.verifyBulletproofPlus([altered]);
        expect(backend.verifyBulletproofPlus([altered])).toBe(expected);
        expect(backend.verifyBulletproofPlus([proof, altered, proof])).toBe(expected);
      }
    });

    test('Bulletproof+: batches of many proofs, all good or one bad', () => {
      const good = recordedTransactions().map((tx) => tx.rangeProof);
      for (const count of [2, 9, 13, 14, 40, 300]) {
        const small = good.filter((proof) => proof.commitments.length === 2);
        const from = chance(2) ? good : small;
        const batch = Array.from({ length: count }, () => pick(from));
        expect(backend.verifyBulletproofPlus(batch)).toBe(true);
        const at = below(count);
        const proof = batch[at] as BulletproofPlusProof;
        const bad = { ...proof, d1: numberToBytesLE(random.scalar(), 32) };
        expect(backend.verifyBulletproofPlus(replaceAt(batch, at, bad))).toBe(false);
      }
    });
  });
}
