import { Yielder } from '@monero-node/base';
import { poolTotals } from './pool-stats.ts';

test('an empty pool has no oldest transaction', async () => {
  expect(await poolTotals([])).toEqual({ fees: 0n, oldest: undefined });
});

test('fees are added and the oldest transaction is found', async () => {
  const of = (fee: bigint, receiveTime: number) => ({ fee, receiveTime });
  expect(await poolTotals([of(5n, 300), of(1n << 60n, 100), of(7n, 200)])).toEqual({
    fees: (1n << 60n) + 12n,
    oldest: 100,
  });
});

test('the event loop has its turns while a large pool is summed up', async () => {
  let turns = 0;
  const yielder = new Yielder({ sliceMs: 0 }, { nextSlice: () => Promise.resolve(void turns++) });
  const many = Array.from({ length: 1000 }, (_, i) => ({ fee: 1n, receiveTime: 1000 - i }));
  expect(await poolTotals(many, yielder)).toEqual({ fees: 1000n, oldest: 1 });
  expect(turns).toBe(3);
});
