import type { PoolTransaction } from '../store/pool-entry.ts';
import { poolStats } from './pool-stats.ts';

const NOW = 1_700_000_000;
const aged = (...ages: number[]) =>
  ages.map((age, i) => ({
    receiveTime: NOW - age,
    weight: 1000 + i,
    fee: 5n,
  })) as PoolTransaction[];

test('counts an empty pool and a pool of one transaction', async () => {
  expect(await poolStats([], NOW)).toMatchObject({
    count: 0,
    oldest: 0,
    weightMedian: 0,
    histogram: [],
  });
  expect(await poolStats(aged(7), NOW)).toMatchObject({
    count: 1,
    weightMedian: 1000,
    histogram: [],
  });
});

test('spreads few transactions over the whole age', async () => {
  const stats = await poolStats(aged(1, 50, 100, 601), NOW);
  expect(stats.histogram.map(({ count }) => count)).toEqual([3, 0, 0, 1]);
  expect(stats).toMatchObject({
    age98: 0,
    olderThanTenMinutes: 1,
    oldest: NOW - 601,
    weightMedian: 1001,
    feeTotal: 20n,
  });
});

test('puts the oldest fiftieth of many into a bin of its own', async () => {
  // 100 transactions: the two oldest are the tail, and with them all of the same age.
  const stats = await poolStats(
    aged(...Array.from({ length: 97 }, (_, i) => i + 1), 900, 900, 1000),
    NOW,
  );
  expect(stats.age98).toBe(900);
  expect(stats.histogram.map(({ count }) => count)).toEqual([97, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
  expect(stats.histogram[9]?.weight).toBe(1097 + 1098 + 1099);
});
