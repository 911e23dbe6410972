import { hexToBytes } from '@noble/hashes/utils.js';
import { sampled } from '@monero-node/base/testing';
import { readFixture } from '../testing/fixtures.ts';
import { decodePoint, encodePoint, HELIOS, SELENE } from './helios-selene.ts';

type Hex = string;
interface Curve {
  readonly curve: 'Helios' | 'Selene';
  readonly generator: Hex;
  readonly decode: { bytes: Hex; description: string; valid: boolean; identity: boolean | null }[];
  readonly add: { a: Hex; b: Hex; add: Hex; sub: Hex; double_a: Hex; neg_a: Hex }[];
  readonly multiply: { scalar: Hex; point: Hex; result: Hex }[];
}

const { curves } = readFixture<{ curves: Curve[] }>('curves');

describe.each(curves)('$curve', ({ curve: name, generator, decode, add, multiply }) => {
  const curve = name === 'Helios' ? HELIOS : SELENE;
  const point = (hex: Hex): ReturnType<typeof decodePoint> =>
    decodePoint(curve, hexToBytes(hex), 'taken');
  const hex = (value: ReturnType<typeof decodePoint>): Hex =>
    Buffer.from(encodePoint(value)).toString('hex');

  it('is the curve of its base point', () => {
    curve.Point.BASE.assertValidity();
    expect(hex(curve.Point.BASE)).toBe(generator);
    expect(
      curve.Point.BASE.multiplyUnsafe(curve.order - 1n).equals(curve.Point.BASE.negate()),
    ).toBe(true);
  });

  it('decodes what upstream decodes, but for the identity', () => {
    for (const { bytes, valid, identity } of decode) {
      if (!valid) expect(() => point(bytes)).toThrow(RangeError);
      else expect(hex(point(bytes))).toBe(bytes);
      if (identity === true)
        expect(() => decodePoint(curve, hexToBytes(bytes))).toThrow('the identity');
    }
  });

  it('adds and multiplies as upstream does', () => {
    for (const { a, b, ...results } of add) {
      expect(hex(point(a).add(point(b)))).toBe(results.add);
      expect(hex(point(a).subtract(point(b)))).toBe(results.sub);
      expect(hex(point(a).double())).toBe(results.double_a);
      expect(hex(point(a).negate())).toBe(results.neg_a);
    }
    for (const { scalar, point: factor, result } of sampled(multiply, 8)) {
      const number = BigInt(`0x${Buffer.from(scalar, 'hex').reverse().toString('hex')}`);
      expect(hex(point(factor).multiplyUnsafe(number))).toBe(result);
    }
  });
});
