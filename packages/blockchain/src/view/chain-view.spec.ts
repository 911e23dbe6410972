import { LongTermMedian, NETWORKS } from '@monero-node/consensus';
import { createMemoryStore } from '@monero-node/storage';
import { ChainView } from './chain-view.ts';

test('the numbers of stored outputs are remembered for 1024 amounts at most', () => {
  const store = createMemoryStore();
  const asked: bigint[] = [];
  store.outputCount = (amount) => {
    asked.push(amount);
    return Number(amount) + 1;
  };
  const view = new ChainView({
    network: NETWORKS.regtest,
    store,
    baseHeight: 0,
    longTerm: LongTermMedian.from([]),
    now: () => 0,
    commitToAmount: () => new Uint8Array(32),
  });
  const amounts = Array.from({ length: 1025 }, (_, index) => BigInt(index));
  for (const amount of amounts) expect(view.outputCount(amount)).toBe(Number(amount) + 1);
  expect(asked).toEqual(amounts);
  expect(view.outputCount(1024n)).toBe(1025);
  expect(asked).toHaveLength(1025);
  expect(view.outputCount(0n)).toBe(1);
  expect(asked.slice(1025)).toEqual([0n]);
});
