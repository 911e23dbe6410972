import { sampled } from '@monero-node/base/testing';
import { numberToBytesLE } from '@noble/curves/utils.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { viewTag as viewTagOf } from '../curve/one-time-key.ts';
import { encodeScalar, Fn } from '../curve/scalar.ts';
import { OutputBatch } from '../output-batch.ts';
import type { CryptoBackend, OutputCandidate, OutputMatch } from '../types.ts';
import { addTorsion, TORSION_POINT } from './mutations.ts';
import { DERIVATIONS, KEYS, TAGS } from './one-time-vectors.ts';
import { createTestRandom } from './random.ts';

const IDENTITY = hexToBytes(`01${'00'.repeat(31)}`);
const G = hexToBytes(`58${'66'.repeat(31)}`);
const NO_POINT = new Uint8Array(32).fill(255);
const ONE = encodeScalar(1n);
const ZERO = encodeScalar(0n);

function hexOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : bytesToHex(bytes);
}

/** Tests derivations, spend keys and sums of multiples. `step`: see `describeCryptoBackend`. */
export function describeOwnership(make: () => CryptoBackend, step: number): void {
  const backend = make();
  const random = createTestRandom('ownership');

  test.each(DERIVATIONS)('derives the derivation of %s', (publicKey, secret, expected) => {
    const [derivation] = backend.keyDerivations(hexToBytes(secret), [hexToBytes(publicKey)]);
    expect(hexOf(derivation)).toBe(expected);
  });

  // The vectors name the spend key B of an output P = Hs(D ‖ index)·G + B.
  test.each(KEYS.filter(([, , , key]) => key !== undefined))(
    'finds the spend key for %s %i',
    (derivation, index, spendKey, key) => {
      const candidate = { derivation: hexToBytes(derivation), index, key: hexToBytes(key ?? '') };
      expect(backend.spendKeys([candidate]).map(hexOf)).toEqual([spendKey]);
    },
  );

  test.each(TAGS)('knows the view tag of %s %i', (hex, index, tag) => {
    const output = { derivation: hexToBytes(hex), index, key: G };
    for (let viewTag = 0; viewTag < 256; viewTag++) {
      const [spendKey] = backend.spendKeys([{ ...output, viewTag }]);
      expect(spendKey !== undefined).toBe(viewTag === Number.parseInt(tag, 16));
    }
  });

  test('a derivation is free of torsion, and the identity for points of low order', () => {
    const [secret, point] = [encodeScalar(random.scalar()), random.point()];
    const [plain, mixed, low, identity] = backend.keyDerivations(secret, [
      ...[point, addTorsion(point)],
      ...[TORSION_POINT.toBytes(), IDENTITY],
    ]);
    expect(mixed).toEqual(plain);
    expect([low, identity].map(hexOf)).toEqual([IDENTITY, IDENTITY].map(hexOf));
    expect(backend.keyDerivations(ZERO, [point]).map(hexOf)).toEqual([hexOf(IDENTITY)]);
  });

  const itemCounts = sampled([1, 7, 8, 9, 23, 24, 25, 31, 100, 1009], step);
  test.each(itemCounts)('computes %i items in order', (count) => {
    const secret = encodeScalar(random.scalar());
    const isBad = (i: number) => i % 5 === 3;
    const keys = Array.from({ length: count }, (_, i) => (isBad(i) ? NO_POINT : random.point()));
    const derivations = backend.keyDerivations(secret, keys);
    expect(derivations.map((bytes) => bytes === undefined)).toEqual(keys.map((_, i) => isBad(i)));
    const at = count >> 1;
    expect(backend.keyDerivations(secret, keys.slice(at, at + 1))).toEqual([derivations[at]]);

    const candidates = keys.map((key, index): OutputCandidate => {
      const derivation = random.bytes();
      // Every third output has a view tag, which is wrong for every second of them.
      const right = viewTagOf(derivation, index);
      const viewTag = index % 3 > 0 ? undefined : index % 2 === 0 ? right : (right + 1) % 256;
      return { derivation, index, key, viewTag };
    });
    const spendKeys = backend.spendKeys(candidates);
    const isOther = (i: number) => i % 6 === 3;
    expect(spendKeys.map((bytes) => bytes === undefined)).toEqual(
      keys.map((_, i) => isBad(i) || isOther(i)),
    );
    expect(backend.spendKeys(candidates.slice(at, at + 1))).toEqual([spendKeys[at]]);

    const sums = keys.map((A) => ({ a: secret, A, b: ONE, B: G }));
    const added = backend.addMultiples(sums);
    expect(added.map((bytes) => bytes === undefined)).toEqual(keys.map((_, i) => isBad(i)));
    expect(backend.addMultiples(sums.slice(at, at + 1))).toEqual([added[at]]);
  });

  const outputCounts = sampled([60, 0, 1, 9, 300, 1500], step);
  test.each(outputCounts)('finds spend keys in a batch of %i outputs', (count) => {
    const secret = encodeScalar(random.scalar());
    const publicKeys = [NO_POINT, TORSION_POINT.toBytes(), random.point(), random.point()];
    const derivations = backend.keyDerivations(secret, publicKeys);
    const batch = new OutputBatch();
    for (const key of publicKeys) batch.addPublicKey(key);
    const expected: OutputMatch[] = [];
    for (let index = 0; index < count; index++) {
      const publicKey = index % 4;
      const derivation = derivations[publicKey] ?? IDENTITY;
      const right = viewTagOf(derivation, index);
      const viewTag = index % 5 === 0 ? undefined : index % 3 === 0 ? right : (right + 1) % 256;
      const key = index % 11 === 3 ? NO_POINT : G;
      expect(batch.add({ publicKey, index, key, viewTag })).toBe(index);
      const [spendKey] = backend.spendKeys([{ derivation, index, key, viewTag }]);
      if (spendKey !== undefined) expected.push({ output: index, derivation, spendKey });
    }
    expect(batch.size).toBe(count);
    expect(backend.findSpendKeys(secret, batch)).toEqual(expected);
  });

  test('a batch refuses what is out of range or has the wrong size', () => {
    const batch = new OutputBatch();
    expect(() => batch.addPublicKey(new Uint8Array(31))).toThrow(RangeError);
    expect(batch.addPublicKey(G)).toBe(0);
    const good = { publicKey: 0, index: 0, key: G };
    for (const bad of [
      ...[{ publicKey: 1 }, { publicKey: -1 }, { publicKey: 0.5 }, { publicKey: Number.NaN }],
      ...[{ index: -1 }, { index: 2 ** 32 }, { index: 0.5 }, { viewTag: 256 }, { viewTag: -1 }],
      ...[{ viewTag: 0.5 }, { key: new Uint8Array(33) }],
    ]) {
      expect(() => batch.add({ ...good, ...bad })).toThrow(RangeError);
    }
    expect(batch.size).toBe(0);
    expect(() => backend.findSpendKeys(NO_POINT, batch)).toThrow(RangeError);
  });

  test('takes indices of every varint length, and 32 bits at most', () => {
    const derivation = random.bytes();
    for (const index of [0, 127, 128, 16383, 16384, 2 ** 21, 2 ** 28, 2 ** 32 - 1]) {
      const viewTag = viewTagOf(derivation, index);
      expect(backend.spendKeys([{ derivation, index, key: G, viewTag }])[0]).toHaveLength(32);
    }
    for (const index of [-1, 0.5, 2 ** 32, Number.NaN]) {
      expect(backend.spendKeys([{ derivation, index, key: G }])).toEqual([undefined]);
    }
  });

  test('returns undefined for fields of the wrong size, and refuses secrets that are no scalars', () => {
    const good = { derivation: random.bytes(), index: 1, key: G };
    const bad: OutputCandidate[] = [
      { ...good, derivation: new Uint8Array(31) },
      { ...good, key: new Uint8Array(33) },
      { ...good, viewTag: 256 },
      { ...good, viewTag: -1 },
    ];
    expect(backend.spendKeys(bad)).toEqual(bad.map(() => undefined));
    expect(backend.keyDerivations(ONE, [new Uint8Array(31), G])[0]).toBeUndefined();
    for (const secret of [numberToBytesLE(Fn.ORDER, 32), new Uint8Array(31), NO_POINT]) {
      expect(() => backend.keyDerivations(secret, [])).toThrow(RangeError);
    }
    expect(backend.keyDerivations(ONE, [])).toEqual([]);
    expect(backend.spendKeys([])).toEqual([]);
    expect(backend.addMultiples([])).toEqual([]);
  });

  test('addMultiples adds multiples, keeps torsion, and refuses what is no scalar or no point', () => {
    const two = encodeScalar(2n);
    const minusOne = encodeScalar(Fn.ORDER - 1n);
    const torsion = TORSION_POINT.toBytes();
    const sum = (a: Uint8Array, A: Uint8Array, b: Uint8Array, B: Uint8Array) =>
      hexOf(backend.addMultiples([{ a, A, b, B }])[0]);
    expect(sum(ONE, G, minusOne, G)).toBe(hexOf(IDENTITY));
    expect(sum(ZERO, G, ZERO, G)).toBe(hexOf(IDENTITY));
    expect(sum(ONE, G, ONE, G)).toBe(sum(two, G, ZERO, G));
    expect(sum(ONE, G, ONE, torsion)).toBe(hexOf(addTorsion(G)));
    expect(sum(minusOne, torsion, ZERO, G)).toBe(
      TORSION_POINT.multiplyUnsafe(Fn.ORDER - 1n).toHex(),
    );
    expect(sum(numberToBytesLE(Fn.ORDER, 32), G, ONE, G)).toBeUndefined();
    expect(sum(ONE, G, ONE, NO_POINT)).toBeUndefined();
    expect(sum(ONE, G, ONE, G.slice(1))).toBeUndefined();
  });
}
