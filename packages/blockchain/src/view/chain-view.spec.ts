import { LongTermMedian, median, NETWORKS } from '@monero-node/consensus';
import { createMemoryStore, type BlockRecord } from '@monero-node/storage';
import { readMember } from '../testing/read-member.ts';
import { ChainView } from './chain-view.ts';
import { TipState } from './tip-state.ts';

/** Returns the record of a block without transactions, which no rule has looked at. */
function emptyRecord(height: number, weight: number): BlockRecord {
  const nothing = new Uint8Array();
  return {
    meta: {
      height,
      id: new Uint8Array(32),
      timestamp: 0,
      weight,
      longTermWeight: weight,
      cumulativeDifficulty: 1n,
      generatedCoins: 0n,
      cumulativeTxCount: 0,
      cumulativeRctOutputs: 0,
      majorVersion: 1,
      minorVersion: 1,
    },
    blob: nothing,
    txs: {
      ids: nothing,
      blobs: [],
      baseSizes: new Uint32Array(),
      prunableHashes: nothing,
      dropped: nothing,
    },
    outputs: {
      counts: new Uint32Array(),
      amounts: new BigUint64Array(),
      unlockTimes: new BigUint64Array(),
      keys: nothing,
      commitments: nothing,
    },
    keyImages: nothing,
  };
}

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

test('the short-term median follows the newest 100 weights', () => {
  const store = createMemoryStore();
  const longTerm = LongTermMedian.from([]);
  const options = { store, baseHeight: 0, longTerm, now: () => 0 };
  const view = new ChainView({
    ...options,
    network: NETWORKS.regtest,
    commitToAmount: () => new Uint8Array(32),
  });
  for (let height = 0; height < 250; height++) {
    // A few weights again and again, the heaviest far apart.
    const weight = ((height * 37) % 11) * 100_000 + (height % 3);
    view.push(emptyRecord(height, weight));
    expect(view.recentWeights).toHaveLength(Math.min(height + 1, 100));
    expect(view.weightState.shortTermMedian).toBe(median(view.recentWeights));
  }
});

test('commitments to clear amounts are computed when they are asked for, once for each amount', () => {
  const store = createMemoryStore();
  const key = new Uint8Array(32).fill(5);
  store.readOutput = (slot, amount) => {
    slot.bytes.set(key, slot.keyAt);
    if (amount === 0n) slot.bytes.set(key, slot.commitmentAt);
    Object.assign(slot, { hasCommitment: amount === 0n, unlockTime: 0n, height: -1 });
    return true;
  };
  const computed: bigint[] = [];
  const commitToAmount = (amount: bigint): Uint8Array => {
    computed.push(amount);
    return new Uint8Array(32).fill(Number(amount));
  };
  const tip = new TipState({ network: NETWORKS.regtest, store, now: () => 0, commitToAmount });
  const amounts = [0n, 7n, 7n, 9n, 7n];
  const members = amounts.map((amount) => readMember(tip.viewAt(0), amount, 3));
  expect(members.map((member) => member?.key)).toEqual(members.map(() => key));
  expect(members.map((member) => member?.commitment?.[0])).toEqual([5, ...Array(4)]);
  expect(computed).toEqual([]);
  const committed = amounts.slice(1).map((amount) => tip.viewAt(0).commitToAmount(amount)[0]);
  expect(committed).toEqual([7, 7, 9, 7]);
  expect(computed).toEqual([7n, 9n]);
});
