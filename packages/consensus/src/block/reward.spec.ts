import { computeWeightState, longTermWeight } from './block-weight.ts';
import { addGeneratedCoins, blockReward } from './reward.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { codeOf } from '../testing/transactions.ts';

const MAX = (1n << 64n) - 1n;
const reward = (
  version: number,
  medianWeight: number,
  blockWeight: number,
  generatedCoins: bigint,
) => blockReward({ rules: rulesFor(version), medianWeight, blockWeight, generatedCoins });

describe('block reward', () => {
  test('is that of the emission formula on an empty chain', () => {
    expect(reward(1, 0, 100, 0n)).toBe(17_592_186_044_415n);
    expect(reward(2, 0, 100, 0n)).toBe(35_184_372_088_831n);
  });

  test('is never below the tail reward', () => {
    expect(reward(1, 0, 100, MAX)).toBe(300_000_000_000n);
    expect(reward(16, 0, 100, MAX)).toBe(600_000_000_000n);
    const edge = MAX - (600_000_000_000n << 19n);
    expect(reward(16, 0, 100, edge)).toBe(600_000_000_000n);
    expect(reward(16, 0, 100, edge - (1n << 19n))).toBe(600_000_000_001n);
  });

  test('is reduced to (2m - w) w / m² of the base reward, rounded down twice', () => {
    expect(reward(16, 300_000, 300_000, MAX)).toBe(600_000_000_000n);
    expect(reward(16, 300_000, 450_000, MAX)).toBe(450_000_000_000n);
    expect(reward(16, 300_000, 300_001, MAX)).toBe(599_999_999_993n); // 6e11 (1 - 1/9e10) = …993.3
    expect(reward(16, 300_000, 600_000, MAX)).toBe(0n);
    expect(codeOf(() => reward(16, 300_000, 600_001, MAX))).toBe('block-too-big');
  });

  test('uses a median of at least the penalty-free zone of the fork', () => {
    expect(reward(1, 5, 20_000, MAX)).toBe(300_000_000_000n);
    expect(reward(4, 5, 60_000, MAX)).toBe(600_000_000_000n);
    expect(codeOf(() => reward(4, 5, 120_001, MAX))).toBe('block-too-big');
    expect(codeOf(() => reward(5, 5, 120_001, MAX))).toBeUndefined();
  });
});

test('stops adding generated coins at 2^64 - 1', () => {
  expect(addGeneratedCoins(5n, 6n)).toBe(11n);
  expect(addGeneratedCoins(MAX - 6n, 6n)).toBe(MAX);
  expect(addGeneratedCoins(MAX - 5n, 6n)).toBe(MAX);
  expect(addGeneratedCoins(MAX, 6n)).toBe(MAX);
});

describe('long-term weight of a block', () => {
  test('is its weight before fork 10', () => {
    expect(longTermWeight(rulesFor(9), 1_000_000, 300_000)).toBe(1_000_000);
  });

  test('is at most 1.4 times the median in forks 10 to 14, without a lower bound', () => {
    const of = (weight: number, median: number) => longTermWeight(rulesFor(12), weight, median);
    expect(of(0, 0)).toBe(0);
    expect(of(420_000, 0)).toBe(420_000);
    expect(of(420_001, 299_999)).toBe(420_000);
    expect(of(9_999_999, 300_004)).toBe(300_004 + 120_001);
  });

  test('is between 10/17 and 1.7 times the median from fork 15 on', () => {
    const of = (weight: number, median: number) => longTermWeight(rulesFor(15), weight, median);
    expect(of(0, 0)).toBe(176_470);
    expect(of(176_471, 0)).toBe(176_471);
    expect(of(510_001, 300_000)).toBe(510_000);
    expect(of(0, 340_000)).toBe(200_000);
    expect(of(9_999_999, 300_009)).toBe(300_009 + 210_006);
  });
});

describe('medians', () => {
  const state = (version: number, weights: number[], longTerm: number) =>
    computeWeightState(rulesFor(version), weights, longTerm);

  test('are short-term before fork 10, and at least the penalty-free zone', () => {
    expect(state(1, [30_000], 9e9)).toEqual({
      shortTermMedian: 30_000,
      longTermMedian: 9e9,
      effectiveMedian: 30_000,
      rewardMedian: 30_000,
      limit: 60_000,
    });
    expect(state(1, [10_000], 0).effectiveMedian).toBe(20_000);
    expect(state(9, [], 0).limit).toBe(600_000);
  });

  test('limit surges in forks 10 and 11, while the reward uses the short-term median', () => {
    const { effectiveMedian, rewardMedian } = state(10, [20_000_000], 0);
    expect(effectiveMedian).toBe(15_000_000);
    expect(rewardMedian).toBe(20_000_000);
    expect(state(11, [5], 0).rewardMedian).toBe(300_000);
  });

  test('do not raise the effective median to the long-term one in forks 12 to 14', () => {
    expect(state(12, [350_000], 400_000).rewardMedian).toBe(350_000);
    expect(state(12, [99_000_000], 400_000).rewardMedian).toBe(20_000_000);
  });

  test('raise the effective median to the long-term one from fork 15 on', () => {
    expect(state(15, [350_000], 400_000).rewardMedian).toBe(400_000);
    expect(state(16, [450_000], 400_000).rewardMedian).toBe(450_000);
    expect(state(16, [99_000_000], 400_000).limit).toBe(40_000_000);
  });
});
