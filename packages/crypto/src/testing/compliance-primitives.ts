import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { CryptoBackend } from '../types.ts';
import { primitiveVectors, recordedTransactions } from './fixtures.ts';
import { addTorsion, flipBit, replaceAt, TORSION_POINT } from './mutations.ts';

const IDENTITY = `01${'00'.repeat(31)}`;
const G_HEX = `58${'66'.repeat(31)}`;
const H_HEX = '8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94';

/** Tests hashing, decoding, key images, commitments and balance. */
export function describePrimitives(make: () => CryptoBackend): void {
  const backend = make();
  const hashToPoint = (hex: string) => bytesToHex(backend.hashToPoint(hexToBytes(hex)));

  test('keccak256 uses the original padding', () => {
    expect(bytesToHex(backend.keccak256(new Uint8Array()))).toBe(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
    expect(bytesToHex(backend.keccak256(utf8ToBytes('abc')))).toBe(
      '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
    );
  });

  test.each(['abc', 'a'.repeat(2000), null, 5, [1, 2], new ArrayBuffer(32)])(
    'hashing refuses what is not bytes: %#',
    (data) => {
      const bytes = data as unknown as Uint8Array;
      expect(() => backend.keccak256(bytes)).toThrow(TypeError);
      expect(() => backend.hashToPoint(bytes)).toThrow(TypeError);
    },
  );

  test('hashToPoint returns the published points and those of monerod', () => {
    expect(hashToPoint(G_HEX)).toBe(
      'd6329b5b1f7c0805b5c345f4957554002a2f557845f64d7645dae0e051a6498a',
    );
    expect(hashToPoint(H_HEX)).toBe(
      'b20ce49fc35c36c945143108577fa9735eaacf03924476102c59e90db3acfec3',
    );
    expect(hashToPoint('00'.repeat(32))).toBe(
      '2d2c4d74df05ba930eaab01825af274eaabcd217bf99dfd54fdf2efe574033f3',
    );
    const vectors = primitiveVectors('hash_to_ec');
    expect(vectors.length).toBeGreaterThan(4);
    for (const { args, result } of vectors) expect(hashToPoint(args[0] as string)).toBe(result);
  });

  test('isPoint accepts exactly the points that monerod decodes', () => {
    const vectors = primitiveVectors('check_key');
    expect(vectors.length).toBeGreaterThan(90);
    for (const { args, result } of vectors) {
      const [encoded] = args as [string];
      expect([encoded, String(backend.isPoint(hexToBytes(encoded)))]).toEqual([encoded, result]);
    }
  });

  test.each([
    ['the identity', IDENTITY, true],
    ['the identity with a sign', `01${'00'.repeat(30)}80`, false],
    ['the identity as y = p + 1', `ee${'ff'.repeat(30)}7f`, false],
    ['the point of order 2', `ec${'ff'.repeat(30)}7f`, true],
    ['the point of order 2 with a sign', `ec${'ff'.repeat(31)}`, false],
    ['a point of order 4, y = 0', '00'.repeat(32), true],
    ['y = 0 written as p', `ed${'ff'.repeat(30)}7f`, false],
    ['G', G_HEX, true],
  ])('isPoint: %s', (_, hex, expected) => {
    expect(backend.isPoint(hexToBytes(hex))).toBe(expected);
  });

  test('rejects points and key images that do not have 32 bytes', () => {
    for (const length of [0, 1, 31, 33, 64]) {
      expect(backend.isPoint(new Uint8Array(length))).toBe(false);
      expect(backend.isValidKeyImage(new Uint8Array(length).fill(1))).toBe(false);
    }
  });

  test('isValidKeyImage accepts only non-zero points of the prime-order subgroup', () => {
    const real = recordedTransactions()[0]?.clsags[0]?.keyImage as Uint8Array;
    expect(backend.isValidKeyImage(real)).toBe(true);
    expect(backend.isPoint(addTorsion(real))).toBe(true);
    expect(backend.isValidKeyImage(addTorsion(real))).toBe(false);
    expect(backend.isValidKeyImage(hexToBytes(IDENTITY))).toBe(false);
    expect(backend.isValidKeyImage(TORSION_POINT.toBytes())).toBe(false);
    for (const { result } of primitiveVectors('generate_key_image')) {
      expect(backend.isValidKeyImage(hexToBytes(result))).toBe(true);
    }
  });

  test('commitToAmount returns G + amount·H', () => {
    const hex = (amount: bigint) => bytesToHex(backend.commitToAmount(amount));
    expect(hex(0n)).toBe(G_HEX);
    expect(hex(1n)).toBe('1738eb7a677c6149228a2beaa21bea9e3370802d72a3eec790119580e02bd522');
    // Around the borders of digits of four bits with a sign, and where the carry runs through all of them.
    const amounts = [
      7n,
      8n,
      9n,
      15n,
      16n,
      17n,
      0x88n,
      0x8888_8888_8888_8888n,
      0x9999_9999_9999_9999n,
    ];
    const H = ed25519.Point.fromHex(H_HEX);
    for (const amount of [...amounts, 600_000_000_000n, 2n ** 63n, 2n ** 64n - 8n, 2n ** 64n - 1n])
      expect(hex(amount)).toBe(ed25519.Point.BASE.add(H.multiply(amount)).toHex());
    expect(() => backend.commitToAmount(-1n)).toThrow(RangeError);
    expect(() => backend.commitToAmount(2n ** 64n)).toThrow(RangeError);
  });

  test('verifyBalance accepts real transactions and rejects altered ones', () => {
    for (const { balance } of recordedTransactions()) {
      const { inputs, outputs, fee } = balance;
      const [first] = outputs as [Uint8Array];
      expect(backend.verifyBalance(balance)).toBe(true);
      expect(backend.verifyBalance({ ...balance, inputs: [...inputs].reverse() })).toBe(true);
      expect(backend.verifyBalance({ ...balance, fee: fee + 1n })).toBe(false);
      expect(backend.verifyBalance({ ...balance, fee: fee - 2n ** 64n })).toBe(false);
      expect(backend.verifyBalance({ ...balance, fee: -fee })).toBe(false);
      expect(backend.verifyBalance({ ...balance, inputs: inputs.slice(1) })).toBe(false);
      expect(backend.verifyBalance({ ...balance, outputs: outputs.slice(1) })).toBe(false);
      for (const bad of [addTorsion(first), flipBit(first, 255), first.slice(1)]) {
        const altered = { ...balance, outputs: replaceAt(outputs, 0, bad) };
        expect(backend.verifyBalance(altered)).toBe(false);
      }
    }
  });

  test('verifyBalance takes empty sums as the identity and lets torsion cancel out', () => {
    const [t, identity] = [TORSION_POINT.toBytes(), hexToBytes(IDENTITY)];
    const minusT = TORSION_POINT.negate().toBytes();
    expect(backend.verifyBalance({ inputs: [], outputs: [], fee: 0n })).toBe(true);
    expect(backend.verifyBalance({ inputs: [], outputs: [], fee: 1n })).toBe(false);
    expect(backend.verifyBalance({ inputs: [identity], outputs: [], fee: 0n })).toBe(true);
    expect(backend.verifyBalance({ inputs: [t, minusT], outputs: [], fee: 0n })).toBe(true);
    expect(backend.verifyBalance({ inputs: [t], outputs: [t], fee: 0n })).toBe(true);
    expect(backend.verifyBalance({ inputs: [t], outputs: [], fee: 0n })).toBe(false);
  });
}
