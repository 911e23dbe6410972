import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { INITIAL_TRANSCRIPT } from '../proofs/bulletproof-plus-transcript.ts';
import { primitiveVectors } from '../testing/fixtures.ts';
import { createTestRandom } from '../testing/random.ts';
import { Fp, rootCandidate, squareRoot } from './field.ts';
import { hashToPoint, pointFromFieldBytes } from './hash-to-point.ts';
import { createH, decodePoint, decodePoints, encodePoints, G, H_BYTES, Point } from './point.ts';
import { decodeScalar, encodeScalar, Fn, hashToScalar, INV_EIGHT, randomScalar } from './scalar.ts';

describe('field', () => {
  test('squareRoot returns a root, and throws for a non-square', () => {
    const random = createTestRandom('roots');
    for (let i = 0; i < 20; i++) {
      const x = Fp.create(random.scalar());
      const square = Fp.sqr(x);
      expect([x, Fp.neg(x)]).toContain(squareRoot(square));
      expect(() => squareRoot(Fp.mul(square, 2n))).toThrow(RangeError); // 2 is not a square
    }
    expect(squareRoot(0n)).toBe(0n);
  });

  test('rootCandidate agrees with plain exponentiation', () => {
    const random = createTestRandom('candidate');
    for (let i = 0; i < 5; i++) {
      const [u, v] = [random.scalar(), random.scalar()];
      const power = Fp.pow(Fp.mul(u, Fp.pow(v, 7n)), (Fp.ORDER - 5n) / 8n);
      expect(rootCandidate(u, v)).toBe(Fp.mul(Fp.mul(u, Fp.pow(v, 3n)), power));
    }
  });
});

describe('points', () => {
  test('decoding round trips with torsion, for every class of the torsion subgroup', () => {
    const random = createTestRandom('torsion');
    for (const hex of ED25519_TORSION_SUBGROUP) {
      const torsion = decodePoint(hexToBytes(hex)) as Point;
      const mixed = torsion.add(G.multiplyUnsafe(random.scalar()));
      expect(bytesToHex(torsion.toBytes())).toBe(hex);
      expect((decodePoint(mixed.toBytes()) as Point).equals(mixed)).toBe(true);
    }
  });

  test('decoding agrees with the strict mode of noble', () => {
    const random = createTestRandom('strict');
    const strict = (bytes: Uint8Array) => {
      try {
        return Point.fromBytes(bytes, false).toHex();
      } catch {
        return undefined;
      }
    };
    for (let i = 0; i < 200; i++) {
      const bytes = random.bytes();
      expect(decodePoint(bytes)?.toHex()).toBe(strict(bytes));
    }
  });

  test('decodePoints returns undefined if one encoding is bad', () => {
    const bad = new Uint8Array(32).fill(255);
    expect(decodePoints([H_BYTES, H_BYTES])).toHaveLength(2);
    expect(decodePoints([H_BYTES, bad])).toBeUndefined();
    expect(decodePoints([])).toEqual([]);
  });

  test('encodePoints encodes the identity among others', () => {
    const double = G.add(G);
    const hex = encodePoints([double, Point.ZERO, G]).map(bytesToHex);
    expect(hex).toEqual([double.toHex(), `01${'00'.repeat(31)}`, G.toHex()]);
    expect(encodePoints([])).toEqual([]);
  });

  test('H is 8 times the point that K(G) encodes, and its multiples are the published ones', () => {
    const H = decodePoint(keccak_256(G.toBytes())) as Point;
    expect(H.clearCofactor().equals(createH())).toBe(true);
    expect(createH().multiplyUnsafe(2n).toHex()).toBe(
      '8faa448ae4b3e2bb3d4d130909f55fcd79711c1c83cdbccadd42cbe1515e8712',
    );
    expect(createH().multiplyUnsafe(4n).toHex()).toBe(
      '12a7d62c7791654a57f3e67694ed50b49a7d9e3fc1e4c7a0bde29d187e9cc71d',
    );
  });
});

describe('hash to point', () => {
  test('the map returns the points of monerod, also above p and with the top bit set', () => {
    const vectors = primitiveVectors('hash_to_point');
    expect(vectors.length).toBeGreaterThan(20);
    for (const { args, result } of vectors) {
      const point = pointFromFieldBytes(hexToBytes(args[0] as string));
      expect(point.toHex()).toBe(result);
      expect(() => point.assertValidity()).not.toThrow();
    }
  });

  test('the map of 0 and p is the point of order 2, which hashing clears', () => {
    const point = pointFromFieldBytes(new Uint8Array(32));
    expect(point.toHex()).toBe(`ec${'ff'.repeat(30)}7f`);
    expect(point.clearCofactor().is0()).toBe(true);
  });

  test('the transcript of Bulletproof+ starts at its published constant', () => {
    const seed = keccak_256(utf8ToBytes('bulletproof_plus_transcript'));
    expect(hashToPoint(seed).toHex()).toBe(bytesToHex(INITIAL_TRANSCRIPT));
  });

  test('key images are those of monerod', () => {
    for (const { args, result } of primitiveVectors('generate_key_image')) {
      const [key, secret] = args.map(hexToBytes) as [Uint8Array, Uint8Array];
      const image = hashToPoint(key).multiplyUnsafe(decodeScalar(secret) as bigint);
      expect(image.toHex()).toBe(result);
    }
  });
});

describe('scalars', () => {
  test('decodeScalar accepts exactly the scalars that monerod accepts', () => {
    const vectors = primitiveVectors('check_scalar');
    expect(new Set(vectors.map(({ result }) => result))).toEqual(new Set(['true', 'false']));
    for (const { args, result } of vectors) {
      const bytes = hexToBytes(args[0] as string);
      const scalar = decodeScalar(bytes);
      expect(String(scalar !== undefined)).toBe(result);
      if (scalar !== undefined) expect(encodeScalar(scalar)).toEqual(bytes);
    }
  });

  test('Hs returns the scalars of monerod, however the input is split', () => {
    for (const { args, result } of primitiveVectors('hash_to_scalar')) {
      const bytes = hexToBytes(args[0] as string);
      const cut = bytes.length >> 1;
      expect(bytesToHex(encodeScalar(hashToScalar(bytes)))).toBe(result);
      expect(hashToScalar(bytes.subarray(0, cut), bytes.subarray(cut))).toBe(hashToScalar(bytes));
    }
  });

  test('INV_EIGHT is the inverse of 8, and random scalars are in range', () => {
    expect(bytesToHex(encodeScalar(INV_EIGHT))).toBe(
      '792fdce229e50661d0da1c7db39dd30700000000000000000000000000000006',
    );
    const [a, b] = [randomScalar(), randomScalar()];
    expect(a).not.toBe(b);
    for (const scalar of [a, b]) expect(scalar > 0n && scalar < Fn.ORDER).toBe(true);
  });

  test('decodeScalar rejects every length but 32 bytes', () => {
    for (const length of [0, 31, 33]) {
      expect(decodeScalar(new Uint8Array(length))).toBeUndefined();
    }
  });
});
