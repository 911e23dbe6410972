import { mod } from '@noble/curves/abstract/modular.js';
import { toWei25519, WEI25519 } from '../curves/ed25519.ts';
import { l } from '../curves/fields.ts';
import { edGenerators } from '../curves/generators.ts';
import { doublings } from '../circuit/discrete-log.ts';
import { decompose, divisorOf } from './divisor.ts';
import { multipleOf } from './prove-spend.ts';

const bits = 253;

it.each([1n, 6n, 12345n, l - 1n])('decomposes the scalar %d', (scalar) => {
  const digits = decompose(scalar, l, bits);
  expect(digits.reduce((sum, digit) => sum + digit, 0)).toBe(bits);
  const value = digits.reduce((sum, digit, i) => sum + BigInt(digit) * 2n ** BigInt(i), 0n);
  expect(mod(value - scalar, l)).toBe(0n);
});

it('makes a function that is zero at the points of a claim', () => {
  const scalar = l - 6n;
  const digits = decompose(scalar, l, bits);
  const { T } = edGenerators();
  const { x, y } = toWei25519(multipleOf(scalar, T));
  const { field } = WEI25519;
  const multiples = doublings(toWei25519(T), WEI25519, bits);
  const points = digits.flatMap((digit, i) =>
    new Array<{ x: bigint; y: bigint }>(digit).fill(multiples[i] as { x: bigint; y: bigint }),
  );
  const zeros = [{ x, y: field - y }, ...points];
  const { a, b } = divisorOf(WEI25519, zeros);
  const at = (polynomial: readonly bigint[], point: bigint): bigint =>
    polynomial.reduceRight((sum, coefficient) => (sum * point + coefficient) % field, 0n);
  for (const zero of zeros) {
    expect(mod(at(a, zero.x) + zero.y * at(b, zero.x), field)).toBe(0n);
  }
});
