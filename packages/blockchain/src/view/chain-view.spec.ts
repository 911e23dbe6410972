import { LongTermMedian, NETWORKS } from '@monero-node/consensus';
import { createMemoryStore } from '@monero-node/storage';
import { ChainView } from './chain-view.ts';
import { TipState } from './tip-state.ts';

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

test('commitments to clear amounts are computed when they are read, once for each amount', () => {
  const store = createMemoryStore();
  const key = new Uint8Array(32).fill(5);
  store.output = (amount) => ({
    key,
    unlockTime: 0n,
    height: -1,
    ...(amount === 0n && { commitment: key }),
  });
  const computed: bigint[] = [];
  const commitToAmount = (amount: bigint): Uint8Array => {
    computed.push(amount);
    return new Uint8Array(32).fill(Number(amount));
  };
  const tip = new TipState({ network: NETWORKS.regtest, store, now: () => 0, commitToAmount });
  const members = [0n, 7n, 7n, 9n, 7n].map((amount) => tip.viewAt(0).ringMember(amount, 3n));
  expect(members.map((member) => member?.key)).toEqual(members.map(() => key));
  expect(computed).toEqual([]);
  expect(members.map((member) => member?.commitment[0])).toEqual([5, 7, 7, 9, 7]);
  expect(computed).toEqual([7n, 9n]);
  // Workers get copies of own fields.
  expect(Object.entries(members[1] ?? {})).toContainEqual(['commitment', members[1]?.commitment]);
});
