import { concatBytes, toHex, type ParsedTransaction } from '@monero-node/codec';
import {
  BLOCK_GROUP_SIZE,
  hashGroupIds,
  hashGroupWeights,
  type BlockGroup,
} from '@monero-node/consensus';
import { parseBundle } from '../verify/parse-bundle.ts';
import type { MadeBlock } from '../testing/block-factory.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';
import type { IncomingBlock } from '../types.ts';

/** Height of the one block with transactions. */
const SPENDING = 80;
const made = new SpendableChain(EASY);
made.mineMany(SPENDING - 1);
const txs = [made.spend([3]), made.spend([4])];
made.mine(txs);
made.mineMany(BLOCK_GROUP_SIZE - SPENDING + 5);

const ids = [EASY.genesisId, ...made.blocks.map(({ parsed }) => parsed.id)];
const below = made.blocks.slice(0, SPENDING - 1);
const spending = made.blocks[SPENDING - 1] as MadeBlock;
const above = made.blocks.slice(SPENDING);

/** The block as a peer sends it when it was asked for pruned blocks. */
function prunedBundle(
  { parsed, txs }: MadeBlock,
  hashOf = (tx: ParsedTransaction) => tx.prunableHash,
): IncomingBlock {
  return parseBundle({
    block: parsed.blob,
    txs: txs.map((tx) => tx.blob.subarray(0, tx.unprunedSize)),
    prunableHashes: txs.map(hashOf),
  });
}

let groups: BlockGroup[];
let weights: bigint[];
/** A chain that got every block whole. */
let whole: Awaited<ReturnType<typeof startTestChain>>;

beforeAll(async () => {
  whole = await startTestChain();
  await whole.chain.addSpan(made.blocks.map(bundleOf), { trust: true });
  weights = ids.map((_, height) => BigInt(whole.store.blockMeta(height)?.weight ?? 0));
  groups = [
    {
      ids: hashGroupIds(ids.slice(0, BLOCK_GROUP_SIZE)),
      weights: hashGroupWeights(weights.slice(0, BLOCK_GROUP_SIZE)),
    },
  ];
});

/** A chain up to the block below the one with transactions, which was told the ids of all. */
async function chainBelow(told: { weights: boolean }) {
  const test = await startTestChain(EASY, undefined, { blockGroups: groups });
  test.chain.approveIds({ start: 0, ids, weights: told.weights ? weights : [] });
  await test.chain.addSpan(below.map(bundleOf));
  expect(test.chain.height).toBe(SPENDING);
  return test;
}

test('stores a block with a known weight without prunable parts', async () => {
  const { chain, store } = await chainBelow({ weights: true });
  expect(chain.knownWeight(SPENDING)).toBe(Number(weights[SPENDING]));
  const run = [spending, ...above].map((block) => prunedBundle(block));
  const { results } = await chain.addSpan(run);
  expect(results.at(-1)).toMatchObject({ status: 'added', height: ids.length - 1 });
  expect(store.blockMetas(0, ids.length)).toEqual(whole.store.blockMetas(0, ids.length));
  txs.forEach((tx, i) => {
    const stored = store.tx(SPENDING, 1 + i);
    expect(stored).toMatchObject({ id: tx.id, prunableHash: tx.prunableHash, dropped: true });
    const { pruned, prunable } = whole.store.tx(SPENDING, 1 + i) ?? {
      pruned: tx.blob,
      prunable: tx.blob,
    };
    expect(toHex(stored?.pruned ?? tx.blob)).toBe(toHex(pruned));
    expect(toHex(concatBytes(pruned, prunable))).toBe(toHex(tx.blob));
    expect(chain.transactionBlob(tx.id)).toBeUndefined();
    for (const input of tx.tx.inputs)
      if (input.kind === 'key') expect(store.keyImageHeight(input.keyImage)).toBe(SPENDING);
    expect(store.outputIndices(SPENDING, 1 + i)).toEqual(
      whole.store.outputIndices(SPENDING, 1 + i),
    );
  });
  expect(chain.counters).toMatchObject({ transactions: 0, clsags: 0 });
});

test.each([
  ['of which no weight was told', { weights: false }],
  ['that a chain is told nothing of', undefined],
])('a pruned block %s is wanted whole, and nothing is held against it', async (_, told) => {
  const { chain } = told ? await chainBelow(told) : await startTestChain();
  if (!told) await chain.addSpan(below.map(bundleOf));
  const { results } = await chain.addSpan([prunedBundle(spending)]);
  expect(results).toMatchObject([{ status: 'missing-txs', missing: [0, 1] }]);
  expect(chain.has(spending.parsed.id)).toBeUndefined();
  expect(chain.height).toBe(SPENDING);
  const again = await chain.addSpan([bundleOf(spending)]);
  expect(again.results).toMatchObject([{ status: 'added', height: SPENDING }]);
});

test('keeps known weights when another peer sends only ids', async () => {
  const { chain } = await chainBelow({ weights: true });
  chain.approveIds({ start: SPENDING, ids: ids.slice(SPENDING), weights: [] });
  expect(chain.knownWeight(SPENDING)).toBe(Number(weights[SPENDING]));
  expect(chain.knownWeight(BLOCK_GROUP_SIZE)).toBeUndefined();
});

test('does not decode pruned transactions without a prunable hash', () => {
  expect(() => prunedBundle(spending, () => new Uint8Array(32))).toThrow(
    expect.objectContaining({ code: 'bad-tx-blob' }),
  );
});

test('rejects pruned transactions with a wrong prunable hash, and accepts the block later', async () => {
  const { chain } = await chainBelow({ weights: true });
  const bad = prunedBundle(spending, () => new Uint8Array(32).fill(9));
  const { results } = await chain.addSpan([bad]);
  expect(results).toMatchObject([{ status: 'invalid' }]);
  expect(chain.has(spending.parsed.id)).toBeUndefined();
  const again = await chain.addSpan([prunedBundle(spending)]);
  expect(again.results).toMatchObject([{ status: 'added' }]);
});

test('accepts a block with full and pruned transactions', async () => {
  const { chain, store } = await chainBelow({ weights: true });
  const [first, second] = txs as [ParsedTransaction, ParsedTransaction];
  const mixed = parseBundle({
    block: spending.parsed.blob,
    txs: [first.blob, second.blob.subarray(0, second.unprunedSize)],
    prunableHashes: [new Uint8Array(32), second.prunableHash],
  });
  await chain.addSpan([mixed]);
  expect(toHex(chain.transactionBlob(first.id) ?? second.id)).toBe(toHex(first.blob));
  expect(store.tx(SPENDING, 2)?.dropped).toBe(true);
  expect(store.blockMeta(SPENDING)?.weight).toBe(Number(weights[SPENDING]));
});

test('accepts pruned transactions neither in a single block nor on a side chain', async () => {
  const { chain } = await chainBelow({ weights: true });
  expect(await chain.addBlock(prunedBundle(spending))).toMatchObject({ status: 'missing-txs' });
  await chain.addSpan([bundleOf(spending)]);
  // The same transactions on a competing block: its weight is not known.
  const rival = new SpendableChain(EASY);
  rival.mineMany(SPENDING - 1);
  const other = rival.mine(txs, { nonce: 7 });
  const { results } = await chain.addSpan([prunedBundle(other)]);
  expect(results).toMatchObject([{ status: 'missing-txs', missing: [0, 1] }]);
  expect(chain.has(other.parsed.id)).toBeUndefined();
});
