import { bytesEqual, compareBytes, concatBytes, fromHex, toHex } from './bytes.ts';
import { DecodeError } from './errors.ts';

describe('hex', () => {
  test('both cases in, lower case out', () => {
    expect([...fromHex('00fFA9')]).toEqual([0, 255, 169]);
    expect(toHex(Uint8Array.of(0, 255, 169))).toBe('00ffa9');
    expect(fromHex('')).toEqual(new Uint8Array(0));
  });

  test.each(['0', 'abc', 'zz', '0x00', ' 00', '00\n', 'é0'])('refuses %j', (text) => {
    expect(() => fromHex(text)).toThrow(DecodeError);
  });
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
