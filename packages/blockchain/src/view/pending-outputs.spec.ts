import { NETWORKS } from '@monero-node/consensus';
import { createMemoryStore, type BlockRecord } from '@monero-node/storage';
import { readMember } from '../testing/read-member.ts';
import type { ChainView } from './chain-view.ts';
import { TipState } from './tip-state.ts';

const nothing = new Uint8Array();

/** Returns the record of a block whose transactions have outputs of these amounts, 0 for RingCT; each part is named by its number in the chain. */
function recordOf(height: number, transactions: readonly bigint[][], first: number): BlockRecord {
  const amounts = transactions.flat();
  const named = (numbers: readonly number[]) =>
    Uint8Array.from(numbers.flatMap((number) => Array<number>(32).fill(number)));
  const rct = amounts.flatMap((amount, i) => (amount === 0n ? [100 + first + i] : []));
  return {
    meta: {
      height,
      id: new Uint8Array(32).fill(height),
      timestamp: 0,
      weight: 0,
      longTermWeight: 0,
      cumulativeDifficulty: BigInt(height + 1),
      generatedCoins: 0n,
      cumulativeTxCount: 0,
      cumulativeRctOutputs: 0,
      majorVersion: 1,
      minorVersion: 1,
    },
    blob: nothing,
    txs: {
      ids: named(transactions.map((_, i) => 10 * height + i)),
      blobs: transactions.map(() => nothing),
      baseSizes: new Uint32Array(transactions.length),
      prunableHashes: new Uint8Array(32 * transactions.length),
      dropped: new Uint8Array(transactions.length),
    },
    outputs: {
      counts: Uint32Array.from(transactions, ({ length }) => length),
      amounts: BigUint64Array.from(amounts),
      unlockTimes: BigUint64Array.from(amounts, (_, i) => BigInt(1000 + first + i)),
      keys: named(amounts.map((_, i) => first + i)),
      commitments: named(rct),
    },
    keyImages: nothing,
  };
}

const BLOCKS: readonly (readonly bigint[][])[] = [
  [[5n, 0n], [], [0n, 5n, 7n]],
  [[0n]],
  [[7n, 7n, 0n], [5n]],
  [[0n], [0n, 9n]],
];
const starts = BLOCKS.map((_, i) => BLOCKS.slice(0, i).flat(2).length);
const records = BLOCKS.map((transactions, height) =>
  recordOf(height, [...transactions], starts[height] ?? 0),
);
/** Of all outputs, in their order: the list, and the block. */
const all = BLOCKS.flatMap((transactions, height) =>
  transactions.flat().map((amount) => ({ amount, height })),
);

async function viewOf(stored: number, pushed = records.length): Promise<ChainView> {
  const store = createMemoryStore();
  await store.commit({ append: records.slice(0, stored) });
  const commitToAmount = () => nothing;
  const tip = new TipState({ network: NETWORKS.regtest, store, now: () => 0, commitToAmount });
  const view = tip.viewAt(stored);
  for (const record of records.slice(stored, pushed)) view.push(record);
  return view;
}

test.each([0, 1, 2, 3, 4])(
  'a view finds outputs below and above %i stored blocks',
  async (stored) => {
    const view = await viewOf(stored);
    for (const amount of [0n, 5n, 7n, 9n]) {
      const own = all.flatMap((output, number) =>
        output.amount === amount ? [{ ...output, number }] : [],
      );
      const found = own.map((_, index) => readMember(view, amount, index));
      expect(found).toEqual(
        own.map(({ number, height }) => ({
          key: new Uint8Array(32).fill(number),
          commitment: amount === 0n ? new Uint8Array(32).fill(100 + number) : undefined,
          unlockTime: BigInt(1000 + number),
          height,
          isCarrot: false,
        })),
      );
      expect(view.outputCount(amount)).toBe(own.length);
      for (const index of [own.length, 2 ** 32, 2n ** 53n, 2n ** 64n - 1n])
        expect(readMember(view, amount, index)).toBeUndefined();
    }
    expect(readMember(view, 6n, 0)).toBeUndefined();
    expect(view.outputCount(6n)).toBe(0);
  },
);

test('outputs of a block appear when it is pushed', async () => {
  const view = await viewOf(1, 1);
  expect(readMember(view, 0n, 2)).toBeUndefined();
  view.push(records[1] as BlockRecord);
  expect(readMember(view, 0n, 2)).toMatchObject({ height: 1 });
  expect(readMember(view, 0n, 3)).toBeUndefined();
});

test('a view below the top of the stored chain does not see what is above', async () => {
  const store = createMemoryStore();
  await store.commit({ append: records });
  const commitToAmount = () => nothing;
  const tip = new TipState({ network: NETWORKS.regtest, store, now: () => 0, commitToAmount });
  const view = tip.viewAt(2);
  expect(readMember(view, 0n, 2)).toMatchObject({ height: 1 });
  expect(readMember(view, 0n, 3)).toBeUndefined();
  expect(readMember(view, 7n, 1)).toBeUndefined();
  // Another block in its place.
  view.push(recordOf(2, [[7n], [0n]], 50));
  expect(readMember(view, 0n, 3)).toMatchObject({ height: 2, unlockTime: 1051n });
  expect(readMember(view, 7n, 1)).toMatchObject({ height: 2, unlockTime: 1050n });
  expect(readMember(view, 7n, 2)).toBeUndefined();
});
