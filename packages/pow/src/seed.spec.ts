import { nextSeedHeight, seedEnd, seedEpochOf, seedHeight } from './seed.ts';

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

test.each([
  { blocks: 2048, lag: 64 },
  { blocks: 64, lag: 16 },
  { blocks: 2, lag: 1 },
])('with %j the end of a seed is the first height with another one', (epoch) => {
  for (let height = 0; height < 7000; height++) {
    const end = seedEnd(height, epoch);
    expect(end).toBeGreaterThan(height);
    expect(seedHeight(end - 1, epoch)).toBe(seedHeight(height, epoch));
    expect(seedHeight(end, epoch)).toBeGreaterThan(seedHeight(height, epoch));
  }
});

test('the next seed shows 64 blocks ahead', () => {
  expect(nextSeedHeight(2048)).toBe(0);
  expect(nextSeedHeight(2049)).toBe(2048);
});

const epochOf = (blocks?: string, lag?: string) =>
  seedEpochOf({ SEEDHASH_EPOCH_BLOCKS: blocks, SEEDHASH_EPOCH_LAG: lag });

const BLOCKS: [text: string | undefined, blocks: number][] = [
  [undefined, 2048],
  ['2', 2],
  ['64', 64],
  ['2048', 2048],
  [' \t+16 blocks', 16],
  // as atoi reads it: 2^32 + 32
  ['4294967328', 32],
];
const NO_BLOCKS = ['', '0', '1', '-2', '3', '48', '4096', 'x', '0x10', '99999999999999999999'];

test('SEEDHASH_EPOCH_BLOCKS counts when it is a power of two of at most 2048', () => {
  for (const [text, blocks] of BLOCKS) expect(epochOf(text)).toEqual({ blocks, lag: 64 });
  for (const text of NO_BLOCKS) expect(epochOf(text)).toEqual({ blocks: 2048, lag: 64 });
});

test('SEEDHASH_EPOCH_LAG counts when it is a power of two of at most 64', () => {
  for (const lag of [1, 8, 64]) expect(epochOf('', `${lag}`)).toEqual({ blocks: 2048, lag });
  for (const text of ['', '0', '3', '128', '-1', 'x']) {
    expect(epochOf(undefined, text)).toEqual({ blocks: 2048, lag: 64 });
  }
});

// Values of rx_seedheight with epoch 16 and lag 8.
test.each([
  [24, 0, 16],
  [25, 16, 16],
  [32, 16, 16],
  [33, 16, 32],
  [40, 16, 32],
  [41, 32, 32],
])(
  'with epochs of 16 blocks and a lag of 8, block %i has seed %i, then %i',
  (height, seed, next) => {
    const epoch = epochOf('16', '8');
    expect(seedHeight(height, epoch)).toBe(seed);
    expect(nextSeedHeight(height, epoch)).toBe(next);
  },
);
