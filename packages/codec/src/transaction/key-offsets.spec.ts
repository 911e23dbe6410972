import { absoluteOffsets } from './key-offsets.ts';

test('indices are the sums of the offsets', () => {
  expect(absoluteOffsets([5n, 1n, 0n, 10n])).toEqual([5n, 6n, 6n, 16n]);
  expect(absoluteOffsets([])).toEqual([]);
});

test('the sums wrap at 64 bits', () => {
  const max = (1n << 64n) - 1n;
  expect(absoluteOffsets([max, 1n, 3n])).toEqual([max, 0n, 3n]);
  expect(absoluteOffsets([10n, max])).toEqual([10n, 9n]);
});
