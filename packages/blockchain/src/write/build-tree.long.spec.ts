import { silentLogger } from '@monero-node/base';
import { encodeBlock, parseBlock } from '@monero-node/codec';
import { MONERO_SHAPE } from '@monero-node/curve-tree';
import { contentsOf } from '@monero-node/curve-tree/testing';
import { TreeThreads } from '@monero-node/curve-tree/threads';
import { createBackend } from '@monero-node/crypto';
import { type ChainStore, createMemoryStore } from '@monero-node/storage';
import { openBlockchain } from '../open.ts';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { FixedPow, NOW } from '../testing/test-chain.ts';
import type { IncomingBlock } from '../types.ts';
import { verifyTree } from '../verify/verify-tree.ts';
import { ChainTree } from '../view/tree/chain-tree.ts';
import { NO_TREE } from '../view/tree-roots.ts';
import { buildTree } from './build-tree.ts';

const commitToAmount = (amount: bigint) => createBackend().commitToAmount(amount);
const recorded = recordedChain('long');
const network = recordedNetwork(recorded);
const COUNT = recorded.blocks.length;
/** Many batches, so that blocks wait for those that are not written yet. */
const LIMITS = { blocks: 7, outputs: 60 };

/** Returns a chain without a tree; coinbases wait for 59 blocks in it. */
async function stored(blocks: readonly IncomingBlock[]): Promise<ChainStore> {
  const store = createMemoryStore();
  const chain = await openBlockchain(
    { network, now: () => NOW },
    { store, pow: new FixedPow(), treeRoots: NO_TREE },
  );
  await chain.addSpan(blocks, { trust: true });
  expect([store.height, store.tree.indexes()]).toEqual([blocks.length + 1, 0]);
  return store;
}

/** Builds the tree, and returns what `buildTree` does, with what was written to the log. */
async function build(store: ChainStore, threads: TreeThreads | undefined, signal?: AbortSignal) {
  const log: string[] = [];
  const note = (line: string): void => void log.push(line);
  const wrong = await buildTree({
    store,
    tree: ChainTree.growing(store, commitToAmount),
    logger: { ...silentLogger, info: note, warn: note },
    startThreads: () => Promise.resolve(threads),
    limits: LIMITS,
    signal,
  });
  return { wrong, log, contents: contentsOf(store.tree, MONERO_SHAPE, store.height + 100) };
}

const BLOCKS = recordedBlocks(recorded, 1, COUNT);

test('threads build the same tree as one thread, row by row', async () => {
  const alone = await build(await stored(BLOCKS), undefined);
  const store = await stored(BLOCKS);
  const onThreads = await build(store, new TreeThreads({ threads: 2 }));
  expect([alone.wrong, onThreads.wrong]).toEqual([undefined, undefined]);
  expect(store.tree.indexes()).toBe(COUNT + 9);
  expect(onThreads.contents).toEqual(alone.contents);
  expect(onThreads.log).toEqual([
    `building the curve tree of ${COUNT} blocks on 2 threads`,
    'the curve tree is built',
  ]);
}, 120_000);

test('one thread builds on where threads crash, and the log says so', async () => {
  const alone = await build(await stored(BLOCKS), undefined);
  const threads = new TreeThreads(
    { threads: 1 },
    {
      startWorker: () => {
        throw new Error('no memory for a thread');
      },
    },
  );
  const { wrong, log, contents } = await build(await stored(BLOCKS), threads);
  expect(wrong).toBeUndefined();
  expect(contents).toEqual(alone.contents);
  expect(log[1]).toBe('curve tree: dispatch-failed: building on with one thread');
}, 120_000);

test('threads stop below a block that commits to another tree', async () => {
  const at = BLOCKS.findIndex(({ block }) => block.block.tree !== undefined) + 30;
  const { block } = BLOCKS[at] as IncomingBlock;
  const tree = { layers: block.block.tree?.layers ?? 0, root: new Uint8Array(32).fill(1) };
  const wrong = { block: parseBlock(encodeBlock({ ...block.block, tree })), txs: [] };
  const store = await stored([...BLOCKS.slice(0, at), wrong]);
  const built = await build(store, new TreeThreads({ threads: 2 }));
  expect([built.wrong, store.tree.indexes()]).toEqual([at + 1, at + 1 + 9]);
}, 120_000);

test.each([
  ['one thread', () => undefined],
  ['threads', () => new TreeThreads({ threads: 2 })],
])(
  'a build on %s ends when it is told to, and the next one goes on',
  async (_, start) => {
    const store = await stored(BLOCKS);
    const end = new AbortController();
    const commit = store.commit.bind(store);
    Object.defineProperty(store, 'commit', {
      value: async (...args: Parameters<ChainStore['commit']>) => {
        await commit(...args);
        end.abort();
      },
    });
    await expect(build(store, start(), end.signal)).rejects.toMatchObject({ name: 'AbortError' });
    const reached = store.tree.indexes();
    expect(reached).toBeGreaterThan(9);
    expect(reached).toBeLessThan(COUNT + 9);
    const checked = verifyTree({ network, source: store, commitToAmount });
    let step = await checked.next();
    for (; step.done !== true; step = await checked.next()) expect(step.value).toEqual([]);
    expect(step.value?.tree_index).toBe(reached);
    const { contents } = await build(store, start());
    expect(contents).toEqual((await build(await stored(BLOCKS), undefined)).contents);
  },
  120_000,
);
