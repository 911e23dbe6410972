import {
  hasWholeBlock,
  isPlausibleSeed,
  nextPrunedHeight,
  nextStripe,
  stripeDistance,
  stripeOfHeight,
  stripeOfSeed,
} from './pruning.ts';

test('maps the seeds 384 to 391 to the stripes 1 to 8', () => {
  expect([383, 384, 391, 392, 0].map(isPlausibleSeed)).toEqual([false, true, true, false, true]);
  expect([0, 384, 391].map(stripeOfSeed)).toEqual([0, 1, 8]);
});

test('repeats eight stripes of 4096 blocks', () => {
  const far = 1_000_000;
  expect([0, 4095, 4096, 8 * 4096 - 1, 8 * 4096].map((h) => stripeOfHeight(h, far))).toEqual([
    1, 1, 2, 8, 1,
  ]);
  expect([nextStripe(1), nextStripe(8)]).toEqual([2, 1]);
  expect([stripeDistance(7, 1), stripeDistance(1, 7), stripeDistance(3, 3)]).toEqual([2, 6, 0]);
});

test('expects every node to keep the newest 5500 blocks', () => {
  expect(stripeOfHeight(94_499, 100_000)).toBeGreaterThan(0);
  expect(stripeOfHeight(94_500, 100_000)).toBe(0);
  expect(hasWholeBlock(94_500, 100_000, 391)).toBe(true);
  expect(hasWholeBlock(0, 100_000, 391)).toBe(false);
  expect(hasWholeBlock(0, 100_000, 384)).toBe(true);
  expect(hasWholeBlock(0, 100_000, 0)).toBe(true);
});

test.each([
  [0, 100_000, 0, 100_000],
  [0, 100_000, 385, 0],
  [0, 100_000, 384, 4096],
  [4096, 100_000, 385, 8192],
  [8 * 4096 - 1, 100_000, 391, 8 * 4096],
  [94_500, 100_000, 391, 100_000],
  // The next stripe is among the newest blocks, which every node keeps.
  [4000, 4096 + 5500, 384, 4096 + 5500],
  [4000, 4096 + 5501, 384, 4096],
])(
  'from height %i of %i on, a node with seed %i first lacks block %i',
  (height, chainHeight, seed, expected) => {
    expect(nextPrunedHeight(height, chainHeight, seed)).toBe(expected);
  },
);
