import { NETWORKS } from '@monero-node/consensus';
import { createMemoryStore, recordOf, type BlockRecord } from '@monero-node/storage';
import { readMember } from '../testing/read-member.ts';
import type { ChainView } from './chain-view.ts';
import { TipState } from './tip-state.ts';

const nothing = new Uint8Array();

/** Returns the record of a block whose transactions have outputs of these amounts, 0 for RingCT; each part is named by its number in the chain. */
function blockOf(height: number, transactions: readonly bigint[][], first: number): BlockRecord {
  const named = (number: number): Uint8Array => new Uint8Array(32).fill(number);
  let next = first;
  return recordOf({
    meta: {
      height,
      id: named(height),
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
    txs: transactions.map((_, i) => ({
      id: named(10 * height + i),
      pruned: nothing,
      prunable: nothing,
      prunableHash: named(0),
    })),
    outputs: transactions.map((amounts) =>
      amounts.map((amount) => {
        const number = next++;
        const own = { amount, key: named(number), unlockTime: BigInt(1000 + number) };
        return amount === 0n ? { ...own, commitment: named(100 + number) } : own;
      }),
    ),
    keyImages: [],
  });
}

const BLOCKS: readonly (readonly bigint[][])[] = [
  [[5n, 0n], [], [0n, 5n, 7n]],
  [[0n]],
  [[7n, 7n, 0n], [5n]],
  [[0n], [0n, 9n]],
];
const starts = BLOCKS.map((_, i) => BLOCKS.slice(0, i).flat(2).length);
const records = BLOCKS.map((transactions, height) =>
  blockOf(height, [...transactions], starts[height] ?? 0),
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
  view.push(blockOf(2, [[7n], [0n]], 50));
  expect(readMember(view, 0n, 3)).toMatchObject({ height: 2, unlockTime: 1051n });
  expect(readMember(view, 7n, 1)).toMatchObject({ height: 2, unlockTime: 1050n });
  expect(readMember(view, 7n, 2)).toBeUndefined();
});
