import { computeWeightState } from '../block/block-weight.ts';
import { dynamicBaseFee, feeEstimate, minimumFee } from './fees.ts';
import { LongTermMedian } from '../block/long-term-median.ts';
import { rulesFor } from '../forks/fork-table.ts';

/** The fee rate required at a median of `median` with the tail reward, by default. */
const input = (version: number, median: number, baseReward = 600_000_000_000n) => ({
  rules: rulesFor(version),
  baseReward,
  weightState: computeWeightState(rulesFor(version), [median], median),
});

describe('fee rate', () => {
  test('is fixed in forks 1 to 3', () => {
    expect(dynamicBaseFee(input(1, 0))).toBe(2_000_000_000n);
    expect(dynamicBaseFee(input(3, 99_999, 1n))).toBe(2_000_000_000n);
  });

  test('follows the reward and the median in forks 4 to 7', () => {
    expect(dynamicBaseFee(input(4, 60_000, 10n ** 13n))).toBe(2_000_000_000n);
    expect(dynamicBaseFee(input(4, 120_000, 10n ** 13n))).toBe(1_000_000_000n);
    expect(dynamicBaseFee(input(5, 300_000, 10n ** 13n))).toBe(400_000_000n);
    expect(dynamicBaseFee(input(5, 300_000, 10n ** 13n + 1n))).toBe(400_000_000n);
    expect(dynamicBaseFee(input(5, 300_000, 10n ** 13n + 25_000n))).toBe(400_010_000n);
  });

  test('is per byte, and a fifth of that, in forks 8 to 14', () => {
    expect(dynamicBaseFee(input(8, 0))).toBe(4_000n); // 6e11 * 3000 / 300000² / 5
    expect(dynamicBaseFee(input(9, 600_000))).toBe(2_000n);
    expect(dynamicBaseFee(input(12, 600_000))).toBe(2_000n);
  });

  test('is 19/20 per byte, divided by the square of the median, from fork 15 on', () => {
    expect(dynamicBaseFee(input(16, 0))).toBe(19_000n);
    expect(dynamicBaseFee(input(16, 600_000))).toBe(4_750n);
    expect(dynamicBaseFee(input(16, 300_000_000))).toBe(1n);
  });

  test('is not lowered by a short surge from fork 10 on', () => {
    const surge = (version: number) => ({
      ...input(version, 0),
      weightState: computeWeightState(rulesFor(version), [900_000], 300_000),
    });
    expect(dynamicBaseFee(surge(9))).toBe(1_333n);
    expect(dynamicBaseFee(surge(10))).toBe(4_000n);
    expect(dynamicBaseFee(surge(16))).toBe(19_000n);
  });
});

describe('minimum fee, with a tolerance of 2 %', () => {
  const least = (version: number, weight: number, baseReward?: bigint) =>
    minimumFee({ ...input(version, 0, baseReward), weight });

  test('is charged per started kB', () => {
    expect(least(1, 1024)).toBe(1_960_000_000n);
    expect(least(1, 1025)).toBe(3_920_000_000n);
    expect(least(5, 13_000, 10n ** 13n)).toBe(5_096_000_000n); // 13 * 4e8
  });

  test('is charged per byte and quantized', () => {
    expect(least(16, 2000)).toBe(37_240_000n); // 19000 * 2000
    expect(least(16, 2001)).toBe(37_259_600n); // 38,019,000 goes up to 38,020,000
    expect(least(8, 1)).toBe(9_800n);
  });
});

describe('fee estimate', () => {
  const TAIL = (1n << 64n) - 1n;
  const estimate = (short: number, long: number, graceBlocks = 0) =>
    feeEstimate({
      rules: rulesFor(16),
      last100Weights: Array<number>(100).fill(short),
      longTermWeights: LongTermMedian.from(Array<number>(201).fill(long)),
      generatedCoins: TAIL,
      effectiveMedian: 300_000,
      graceBlocks,
    }).fees;

  test('is 20, 80, 320 and 4,000 nanonero per byte with the tail reward and small blocks', () => {
    expect(estimate(100, 176_470)).toEqual([20_000n, 80_000n, 320_000n, 4_000_000n]);
  });

  test('limits a surge to 50 long-term medians', () => {
    // surge fee: 4 * 320000 * 300000 / (32 * 3000 * 15,000,000 / 300,000), below 4 * 320000
    expect(estimate(20_000_000, 300_000)).toEqual([20_000n, 80_000n, 320_000n, 1_300_000n]);
    // 2.5 zones: 4 * 320000 * 300000 / 240000
    expect(estimate(750_000, 300_000)).toEqual([20_000n, 80_000n, 320_000n, 1_600_000n]);
    // at 6 zones the divisor is 576000: the floor of 4 * 320000 holds
    expect(estimate(1_800_000, 300_000)[3]).toBe(1_300_000n);
  });

  test('counts grace blocks as empty', () => {
    expect(estimate(600_000, 600_000)[0]).toBe(5_000n);
    expect(estimate(600_000, 600_000, 99)[0]).toBe(5_000n);
    // 99 zeros beside 1 block: the short-term median falls back to the long-term one
    expect(estimate(750_000, 300_000, 99)[3]).toBe(4_000_000n);
    expect(estimate(750_000, 300_000, 49)[3]).toBe(1_600_000n);
  });
});
