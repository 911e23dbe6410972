import { nextSeedHeight, seedHeight } from './seed.ts';

// Boundaries of upstream's rx_seedheight with epoch 2048 and lag 64.
test.each([
  [0, 0],
  [1, 0],
  [2048, 0],
  [2112, 0],
  [2113, 2048],
  [4160, 2048],
  [4161, 4096],
  [3000000, 2998272],
])('seed height of block %i is %i', (height, seed) => {
  expect(seedHeight(height)).toBe(seed);
});

test('the next seed shows 64 blocks ahead', () => {
  expect(nextSeedHeight(2048)).toBe(0);
  expect(nextSeedHeight(2049)).toBe(2048);
});
