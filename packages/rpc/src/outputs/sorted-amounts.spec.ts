import { Yielder } from '@monero-node/base';
import { sortedAmounts } from './sorted-amounts.ts';

test.each([0, 1, 5, 16_384, 16_385, 100_000])('sorts %d amounts', async (count) => {
  let state = 1n;
  const amounts = Array.from({ length: count }, () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n);
    return state % 3n === 0n ? 7n : state;
  });
  const sorted = await sortedAmounts(amounts, new Yielder());
  expect([...sorted]).toEqual([...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
});
