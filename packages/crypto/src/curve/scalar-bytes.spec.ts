import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { primitiveVectors } from '../testing/fixtures.ts';
import { createTestRandom } from '../testing/random.ts';
import {
  addScalars,
  hashToScalarBytes,
  isScalar,
  publicKeyOf,
  reduceToScalar,
  subtractScalars,
} from './scalar-bytes.ts';
import { encodeScalar, Fn } from './scalar.ts';

test('isScalar and hashToScalarBytes answer as monerod does', () => {
  for (const { args, result } of primitiveVectors('check_scalar')) {
    expect(String(isScalar(hexToBytes(args[0] as string)))).toBe(result);
  }
  for (const { args, result } of primitiveVectors('hash_to_scalar')) {
    expect(bytesToHex(hashToScalarBytes(hexToBytes(args[0] as string)))).toBe(result);
  }
});

test('adds and subtracts modulo l', () => {
  const random = createTestRandom('scalar bytes');
  for (let i = 0; i < 10; i++) {
    const [a, b] = [encodeScalar(random.scalar()), encodeScalar(random.scalar())];
    expect(subtractScalars(addScalars(a, b), b)).toEqual(a);
  }
  const [zero, one] = [encodeScalar(0n), encodeScalar(1n)];
  expect(subtractScalars(zero, one)).toEqual(encodeScalar(Fn.ORDER - 1n));
  expect(addScalars(encodeScalar(Fn.ORDER - 1n), one)).toEqual(zero);
});

test('reduces bytes of any length', () => {
  expect(reduceToScalar(new Uint8Array(0))).toEqual(encodeScalar(0n));
  expect(reduceToScalar(new Uint8Array(32).fill(255))).toEqual(
    encodeScalar((2n ** 256n - 1n) % Fn.ORDER),
  );
});

test('refuses what is no scalar or no secret key', () => {
  const tooLarge = new Uint8Array(32).fill(255);
  expect(() => addScalars(tooLarge, new Uint8Array(32))).toThrow(RangeError);
  expect(() => subtractScalars(new Uint8Array(32), new Uint8Array(31))).toThrow(RangeError);
  expect(() => publicKeyOf(new Uint8Array(32))).toThrow(RangeError);
  expect(bytesToHex(publicKeyOf(encodeScalar(1n)))).toBe(`58${'66'.repeat(31)}`);
});
