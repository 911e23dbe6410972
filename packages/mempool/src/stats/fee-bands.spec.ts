import { Yielder } from '@monero-node/base';
import { feeBands } from './fee-bands.ts';

const tx = (fee: bigint, weight: number, broadcast = true, receiveTime = 1000) => ({
  fee,
  weight,
  broadcast,
  receiveTime,
});

test('an empty pool has empty bands', async () => {
  expect(await feeBands([], [10])).toEqual({
    all: [
      { count: 0, weight: 0 },
      { count: 0, weight: 0 },
    ],
    public: [
      { count: 0, weight: 0 },
      { count: 0, weight: 0 },
    ],
    oldest: undefined,
    oldestPublic: undefined,
  });
});

test('a rate on an edge belongs to the band above', async () => {
  const { all } = await feeBands([tx(999n, 100), tx(1000n, 100), tx(1999n, 100)], [10, 20]);
  expect(all).toEqual([
    { count: 1, weight: 100 },
    { count: 2, weight: 200 },
    { count: 0, weight: 0 },
  ]);
});

test('rates above the last edge are in the last band, and a weight of 0 divides by nothing', async () => {
  const { all } = await feeBands([tx(10n ** 18n, 100), tx(5n, 0)], [10, 20]);
  expect(all.map(({ count }) => count)).toEqual([1, 0, 1]);
});

test('private transactions are in the sums of the owner only', async () => {
  const pool = [tx(1000n, 100, false, 500), tx(3000n, 200, true, 700)];
  const bands = await feeBands(pool, [12]);
  expect(bands.all.map(({ weight }) => weight)).toEqual([100, 200]);
  expect(bands.public.map(({ weight }) => weight)).toEqual([0, 200]);
  expect([bands.oldest, bands.oldestPublic]).toEqual([500, 700]);
});

test('the event loop gets its turns while a long list is counted', async () => {
  let turns = 0;
  const nextSlice = () => Promise.resolve(void turns++);
  const pool = Array.from({ length: 2000 }, () => tx(1000n, 100));
  const { all } = await feeBands(pool, [1], new Yielder({ sliceMs: 0 }, { nextSlice }));
  expect(all[1]?.count).toBe(2000);
  expect(turns).toBe(7);
});
