import { bytesEqual, compareBytes, concatBytes, fromHex, toHex } from './bytes.ts';
import { parseAddress } from './address/address.ts';
import { parseBlock } from './block/block.ts';
import { DecodeError } from './errors.ts';
import { decodeMessage, defineTable, f } from './portable-storage/index.ts';
import { parsePrunedTransaction, parseTransaction } from './transaction/transaction.ts';
import { parseTxExtra } from './transaction/tx-extra.ts';

describe('hex', () => {
  test('both cases in, lower case out', () => {
    expect([...fromHex('00fFA9')]).toEqual([0, 255, 169]);
    expect(toHex(Uint8Array.of(0, 255, 169))).toBe('00ffa9');
    expect(fromHex('')).toEqual(new Uint8Array(0));
  });

  test('any bytes, and any number of them', () => {
    const all = Uint8Array.from({ length: 9_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);
    for (const length of [1, 2, 32, 255, 2047, 2048, 2049, 9_000]) {
      const part = all.subarray(9_000 - length);
      expect(toHex(part)).toBe(Buffer.from(part).toString('hex'));
      expect(toHex(Buffer.from(part))).toBe(Buffer.from(part).toString('hex'));
    }
  });

  test.each([undefined, '00', [0], new ArrayBuffer(2)])('toHex refuses %p', (value) => {
    expect(() => toHex(value as unknown as Uint8Array)).toThrow(TypeError);
  });

  test.each(['0', 'abc', 'zz', '0x00', ' 00', '00\n', 'é0'])('refuses %j', (text) => {
    expect(() => fromHex(text)).toThrow(DecodeError);
  });
});

test.each([undefined, null, 5, ['00'], Uint8Array.of(1)])('fromHex refuses %p', (value) => {
  expect(() => fromHex(value as unknown as string)).toThrow(TypeError);
  expect(() => fromHex(value as unknown as string)).toThrow('"hex" expected string');
});

describe('decoders refuse what is not bytes', () => {
  const decoders = {
    parseTransaction,
    parsePrunedTransaction,
    parseBlock,
    parseTxExtra,
    decodeMessage: (bytes: Uint8Array) => decodeMessage(defineTable({ a: f.u8() }), bytes),
  };
  test.each(Object.entries(decoders))('%s', (_, decode) => {
    for (const value of ['00', null, undefined, 7, [0], new ArrayBuffer(8), new Uint16Array(4)]) {
      expect(() => decode(value as unknown as Uint8Array)).toThrow(TypeError);
      expect(() => decode(value as unknown as Uint8Array)).toThrow('"bytes" expected Uint8Array');
    }
  });
});

test.each([undefined, null, 5, Uint8Array.of(1)])('parseAddress refuses %p', (value) => {
  expect(() => parseAddress(value as unknown as string)).toThrow('"address" expected string');
});

test('compareBytes orders like memcmp, shorter first', () => {
  const sorted = ['', '00', '0000', '01', '7f', '80', 'ff', 'ff00'].map(fromHex);
  for (let i = 0; i < sorted.length; i++) {
    for (let j = 0; j < sorted.length; j++) {
      const [a, b] = [sorted[i] as Uint8Array, sorted[j] as Uint8Array];
      expect(Math.sign(compareBytes(a, b))).toBe(Math.sign(i - j));
      expect(bytesEqual(a, b)).toBe(i === j);
    }
  }
});

test('concatBytes joins in order', () => {
  expect(toHex(concatBytes(fromHex('01'), fromHex(''), fromHex('0203')))).toBe('010203');
});
