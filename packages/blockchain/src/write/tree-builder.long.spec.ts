import { MONERO_SHAPE } from '@monero-node/curve-tree';
import { contentsOf } from '@monero-node/curve-tree/testing';
import { TreeThreads } from '@monero-node/curve-tree/threads';
import { parseBlock } from '@monero-node/codec';
import { withOverrides } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import { G } from '@monero-node/crypto/testing';
import type { ChainStore } from '@monero-node/storage';
import type { Blockchain } from '../blockchain.ts';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { mineBlocks, startTestChain } from '../testing/test-chain.ts';
import type { IncomingBlock } from '../types.ts';
import { verifyTree } from '../verify/verify-tree.ts';

const recorded = recordedChain('odd-coinbases');
const withFork = recordedNetwork(recorded);
/** Nothing of version 17, so that nothing waits for the tree. */
const network = withOverrides(withFork, {
  hardForks: withFork.hardForks.filter(({ version }) => version < 17),
});
const TRUNK = recordedBlocks(recorded, 1, 75);
const address = { spendKey: G.toBytes(), viewKey: G.toBytes() };
const commitToAmount = (amount: bigint) => createBackend().commitToAmount(amount);
const LIMITS = { blocks: 3, outputs: 60 };
const ASKED = { buildTree: true };

/** Returns numbers below a bound, the same for each seed. */
function numbersOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const mine = (chain: Blockchain, count: number) => mineBlocks(chain, address, count);

/** Returns the blocks above genesis, up to a height that is left out. */
function blocksOf(chain: Blockchain, end: number): IncomingBlock[] {
  return Array.from({ length: end - 1 }, (_, i) => {
    const bundle = chain.blockBundle(i + 1);
    if (bundle === undefined) throw new Error(`no block ${i + 1}`);
    return { block: parseBlock(bundle.block), txs: [] };
  });
}

/** Expects that a stored tree is that of its blocks, row by row. */
async function expectRebuilt(chain: Blockchain, store: ChainStore): Promise<void> {
  const { chain: again, store: rebuilt } = await startTestChain(network, undefined, ASKED);
  await again.addSpan(blocksOf(chain, store.height), { trust: true });
  expect([again.topId, rebuilt.tree.indexes()]).toEqual([chain.topId, store.height + 9]);
  const [own, expected] = [store, rebuilt].map(({ tree }) =>
    contentsOf(tree, MONERO_SHAPE, store.height + 100),
  );
  expect(own).toEqual(expected);
  await expectNoFaults(store);
}

async function expectNoFaults(store: ChainStore): Promise<void> {
  const checked = verifyTree({ network, source: store, commitToAmount });
  let step = await checked.next();
  for (; step.done !== true; step = await checked.next()) expect(step.value).toEqual([]);
  expect(step.value?.tree_index ?? 0).toBe(store.tree.indexes());
}

/** Has a chain reorganize to blocks that were made on a copy of its lower part. */
async function reorganize(chain: Blockchain, depth: number): Promise<void> {
  const { height } = chain;
  const { chain: other } = await startTestChain(network);
  await other.addSpan(blocksOf(chain, height - depth), { trust: true });
  const { results } = await chain.addSpan(await mine(other, depth + 1));
  expect(results.at(-1)?.status).toBe('reorganized');
  expect(chain.topId).toEqual(other.topId);
}

/** Returns a stored chain without a tree. */
async function chainOfTrunk(): Promise<ChainStore> {
  const { chain, store } = await startTestChain(network);
  await chain.addSpan(TRUNK, { trust: true });
  expect(store.tree.indexes()).toBe(0);
  return store;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a tree that is built beside a chain is that of its blocks, whatever the chain does meanwhile (%i)',
  async (seed) => {
    const below = numbersOf(seed);
    const store = await chainOfTrunk();
    let { chain } = await startTestChain(network, store, ASKED);
    const threads = seed % 2 === 0 ? () => new TreeThreads({ threads: 1 }) : () => undefined;
    const options = { startThreads: () => Promise.resolve(threads()), limits: LIMITS };
    let building = chain.buildTree(options);
    for (let i = 0; i < 8; i++) {
      const kind = below(4);
      if (kind === 0) await mine(chain, 1 + below(3));
      else if (kind === 1) await chain.popBlocks(1 + below(30));
      else if (kind === 2) await reorganize(chain, 1 + below(20));
      else {
        await chain.stop();
        await building;
        await expectNoFaults(store);
        ({ chain } = await startTestChain(network, store, ASKED));
        building = chain.buildTree(options);
      }
    }
    await building;
    await mine(chain, 2);
    expect(chain.treeBlocks).toBe(chain.height);
    await expectRebuilt(chain, store);
  },
  120_000,
);

test('blocks and roots while the tree lacks blocks: none is known, and what is taken back is taken back from the tree', async () => {
  const store = await chainOfTrunk();
  const { chain } = await startTestChain(network, store, ASKED);
  const top = { height: chain.height, prevId: chain.topId };
  const rootsOf = () => [chain.treeRoots.treeAt(top), chain.treeRoots.rootAtHeight(70)];
  expect([chain.treeBlocks, ...rootsOf()]).toEqual([0, undefined, undefined]);
  await mine(chain, 2);
  expect(store.tree.indexes()).toBe(0);
  await chain.popBlocks(2);
  await chain.buildTree({ limits: LIMITS });
  expect(rootsOf()).toEqual([expect.anything(), expect.anything()]);
  await chain.popBlocks(20);
  expect([chain.height, chain.treeBlocks]).toEqual([55, 55]);
  await mine(chain, 20);
  await expectRebuilt(chain, store);
});

test('a stopped chain builds no more, and the next one goes on without being asked', async () => {
  const store = await chainOfTrunk();
  const { chain } = await startTestChain(network, store, ASKED);
  const commit = store.commit.bind(store);
  let stopping: Promise<void> | undefined;
  Object.defineProperty(store, 'commit', {
    configurable: true,
    value: async (...args: Parameters<ChainStore['commit']>) => {
      await commit(...args);
      stopping ??= chain.stop();
    },
  });
  await chain.buildTree({ limits: LIMITS });
  await stopping;
  expect(chain.treeBlocks).toBe(3);
  await chain.buildTree();
  expect(chain.treeBlocks).toBe(3);
  const { chain: next } = await startTestChain(network, store);
  expect(next.treeBlocks).toBe(3);
  await next.buildTree({ limits: LIMITS });
  await expectRebuilt(next, store);
});
