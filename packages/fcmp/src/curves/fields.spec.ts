import { hexToBytes } from '@noble/hashes/utils.js';
import { readFixture } from '../testing/fixtures.ts';
import {
  decodeElement,
  elementBytes,
  invert,
  invertAll,
  powersOf,
  reduceWide,
  squareRoot,
} from './fields.ts';

type Hex = string;
interface Field {
  readonly name: string;
  readonly modulus: Hex;
  readonly decode: { bytes: Hex; description: string; valid: boolean }[];
  readonly arithmetic: { a: Hex; invert_a: Hex | null; sqrt_a: Hex[] | null }[];
  readonly wide_reduction: { bytes: Hex; result: Hex }[];
}

const { fields } = readFixture<{ fields: Field[] }>('curves');
const number = (hex: Hex): bigint =>
  BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`);
const hex = (value: bigint): Hex => Buffer.from(elementBytes(value)).toString('hex');

describe.each(fields)('$name', ({ modulus: modulusHex, decode, arithmetic, wide_reduction }) => {
  const modulus = number(modulusHex);

  it('decodes 32 bytes below the modulus only', () => {
    for (const { bytes, valid } of decode) {
      const decoded = (): bigint => decodeElement(hexToBytes(bytes), modulus);
      if (valid) expect(hex(decoded())).toBe(bytes);
      else expect(decoded).toThrow('not reduced');
    }
  });

  it('inverts and takes roots as upstream does', () => {
    for (const { a, invert_a, sqrt_a } of arithmetic) {
      if (invert_a === null) expect(() => invert(number(a), modulus)).toThrow('no inverse');
      else expect(hex(invert(number(a), modulus))).toBe(invert_a);
      const root = squareRoot(number(a), modulus);
      if (sqrt_a === null) expect(root).toBeUndefined();
      else expect(sqrt_a).toContain(hex(root as bigint));
    }
  });

  it('inverts many at once', () => {
    const values = arithmetic.filter(({ invert_a }) => invert_a !== null);
    const inverses = invertAll(
      values.map(({ a }) => number(a)),
      modulus,
    );
    expect(inverses.map(hex)).toEqual(values.map(({ invert_a }) => invert_a));
    expect(() => invertAll([1n, 0n], modulus)).toThrow('no inverse');
  });

  it('reduces 64 bytes', () => {
    for (const { bytes, result } of wide_reduction) {
      expect(hex(reduceWide(hexToBytes(bytes), modulus))).toBe(result);
    }
  });
});

it('lists as many powers as are asked for', () => {
  expect(powersOf(3n, 4, 7n)).toEqual([1n, 3n, 2n, 6n]);
  expect(powersOf(3n, 1, 7n)).toEqual([1n]);
});
