import { cryptonightVariant } from './cryptonight-variant.ts';

test('variants by major version', () => {
  const variants = Array.from({ length: 17 }, (_, version) => cryptonightVariant(version));
  expect(variants.slice(0, 7)).toEqual(Array(7).fill(0));
  expect(variants.slice(7, 12)).toEqual([1, 2, 2, 4, 4]);
  expect(variants.slice(12)).toEqual(Array(5).fill(undefined));
});
