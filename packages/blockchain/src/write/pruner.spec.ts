import { toHex } from '@monero-node/codec';
import { TIP_BLOCKS } from '@monero-node/consensus';
import { createMemoryStore, type ChainStore } from '@monero-node/storage';
import { makeBranch } from '../testing/block-factory.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';
import { Pruner } from './pruner.ts';

/** Heights of the blocks with a transaction: in the first stripe. */
const SPENDING = 80;
const made = new SpendableChain(EASY);
made.mineMany(SPENDING - 1);
const tx = made.spend([3]);
made.mine([tx]);
const early = made.mineMany(20);
const late = makeBranch(EASY, made.top, TIP_BLOCKS - 20);

/** A chain whose block with a transaction is `TIP_BLOCKS` below its end, plus `more`. */
async function grown(more = 0, store = createMemoryStore()) {
  const { chain } = await startTestChain(EASY, store);
  const blocks = [...made.blocks, ...late].slice(0, SPENDING + TIP_BLOCKS + more);
  const { results } = await chain.addSpan(blocks.map(bundleOf), { trust: true });
  expect(results.at(-1)?.status).toBe('added');
  return chain;
}

async function pruned(store: ChainStore, stripe: number): Promise<Pruner> {
  const pruner = new Pruner(store, () => stripe);
  await pruner.enable();
  while (await pruner.step());
  return pruner;
}

describe('pruning', () => {
  test('leaves a chain whole until it is pruned', async () => {
    const chain = await grown();
    expect(chain.pruningSeed).toBe(0);
    await chain.updatePruning();
    expect(toHex(chain.transactionBlob(tx.id) ?? new Uint8Array())).toBe(toHex(tx.blob));
    expect(await chain.checkPruning()).toBe(true);
  });

  test('drops the prunable parts of old blocks of other stripes permanently', async () => {
    const store = createMemoryStore();
    await grown(0, store);
    const pruner = await pruned(store, 2);
    expect(pruner.seed).toBe(385);
    expect(store.height).toBe(SPENDING + TIP_BLOCKS + 1);
    expect(store.tx(SPENDING, 1)).toMatchObject({ dropped: true });
    const { chain } = await startTestChain(EASY, store);
    expect(chain.pruningSeed).toBe(385);
    expect(chain.transactionBlob(tx.id)).toBeUndefined();
    expect(chain.blockBundle(SPENDING)).toBeUndefined();
    expect(chain.blockBundle(SPENDING + 1)).toBeDefined();
    expect(await chain.checkPruning()).toBe(true);
    // Pruned blocks stay pruned, and the stripe stays the same.
    await chain.prune();
    expect(chain.pruningSeed).toBe(385);
  });

  test('keeps blocks of its own stripe', async () => {
    const store = createMemoryStore();
    await grown(0, store);
    await pruned(store, 1);
    expect(store.tx(SPENDING, 1)?.dropped).toBeUndefined();
  });

  test('keeps the newest 5,500 blocks until they become old', async () => {
    const store = createMemoryStore();
    const chain = await grown(-1, store);
    const pruner = await pruned(store, 2);
    expect(store.tx(SPENDING, 1)?.dropped).toBeUndefined();
    await chain.addSpan(late.slice(-1).map(bundleOf), { trust: true });
    while (await pruner.step());
    expect(store.tx(SPENDING, 1)?.dropped).toBe(true);
  });

  test('finds a missing prunable part', async () => {
    const store = createMemoryStore();
    const chain = await grown(0, store);
    await pruned(store, 1);
    expect(await chain.checkPruning()).toBe(true);
    await store.commit({ prune: [SPENDING] });
    expect(await chain.checkPruning()).toBe(false);
  });

  test('pops a pruned block without returning its transactions', async () => {
    const store = createMemoryStore();
    const chain = await grown(0, store);
    await pruned(store, 2);
    const removed: number[] = [];
    chain.on('popped', (event: { removed: readonly unknown[] }) =>
      removed.push(event.removed.length),
    );
    const count = store.height - SPENDING;
    expect(await chain.popBlocks(count)).toBe(SPENDING);
    expect(removed).toEqual([count - 1]);
    expect(early).toHaveLength(20);
  });
});
