import { TIME_LOCK_ANCHOR, lastLockedIndex } from './schedule.ts';

/** Found out on upstream's node with five transactions in block 116; the other values follow from its formula. */
test.each([
  [0n, 125n],
  [50n, 125n],
  [126n, 125n],
  [127n, 126n],
  [150n, 149n],
  [235n, 234n],
  [499_999_999n, 499_999_998n],
  [500_000_000n, 125n],
  [1_333_891_178n, 126n],
  [1_333_891_179n, 126n],
  [1_333_891_058n, 125n],
  [1_333_900_158n, 200n],
  [1_656_629_117n, 2_689_608n],
  [1_656_629_118n, 2_689_608n],
  [1_656_629_237n, 2_689_608n],
  [1_656_629_238n, 2_689_609n],
  [1_700_000_000n, 3_051_032n],
  [2n ** 64n - 1n, 2_689_608n + (2n ** 64n - 1n - 1_656_629_118n) / 120n],
])('an output of block 116 with unlock time %s enters at %s', (unlockTime, index) => {
  expect(lastLockedIndex(unlockTime, 116)).toBe(index);
});

test('a miner waits for 60 blocks, and a network may have another anchor', () => {
  expect(lastLockedIndex(60n, 0)).toBe(59n);
  expect(lastLockedIndex(1_060n, 1_000)).toBe(1_059n);
  const anchor = { height: 1_000n, time: TIME_LOCK_ANCHOR.time };
  expect(lastLockedIndex(1_656_629_238n, 0, anchor)).toBe(1_001n);
  expect(lastLockedIndex(1_656_628_998n, 0, anchor)).toBe(999n);
});
