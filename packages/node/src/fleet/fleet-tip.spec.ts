import { blocksBehind, vouchedTip, type ChainTip } from './fleet-tip.ts';

const tip = (height: number, work = height * 100, id = `${height}`): ChainTip => {
  return { height, id, work: BigInt(work) };
};

test.each([
  [[], undefined],
  [[7], 7],
  [[7, 999_999], 7],
  [[7, 9, 999_999], 9],
  [[9, 3, 7], 7],
  [[9, 3, 7, 8], 7],
  [[9, 3, 7, 8, 5], 7],
])('of voters at %j, most have at least the work of %s', (heights, height) => {
  expect(vouchedTip(heights.map((each) => tip(each)))?.height).toBe(height);
});

test('work decides, not the number of blocks', () => {
  const heavy = tip(90, 20_000);
  expect(vouchedTip([tip(100, 10_000), heavy, tip(80, 30_000)])).toBe(heavy);
});

test('blocks that are missing are counted', () => {
  const own = tip(100);
  expect(blocksBehind(own, 100n, tip(101))).toBe(1);
  expect(blocksBehind(own, 100n, tip(120))).toBe(20);
  // The difficulty has risen.
  expect(blocksBehind(own, 100n, tip(102, 10_250))).toBe(2);
  // Blocks of long ago took less work than those of today.
  expect(blocksBehind(own, 1n, tip(5_000))).toBe(4_900);
});

test('a chain with as much work lacks nothing, however many blocks others have', () => {
  expect(blocksBehind(tip(100), 100n, tip(100))).toBe(0);
  expect(blocksBehind(tip(100), 100n, tip(100, 10_000, 'other'))).toBe(0);
  expect(blocksBehind(tip(100), 100n, tip(999_999, 10_000, 'other'))).toBe(0);
  // Whoever has this very block has its work.
  expect(blocksBehind(tip(100), 100n, tip(100, 99_999))).toBe(0);
});

test('a lighter branch lags by the work that it lacks', () => {
  expect(blocksBehind(tip(100, 5_000, 'light'), 50n, tip(100))).toBe(100);
  expect(blocksBehind(tip(100, 5_000, 'light'), 0n, tip(99, 5_007))).toBe(7);
});
