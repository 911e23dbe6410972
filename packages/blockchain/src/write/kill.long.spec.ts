import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleSize } from '@monero-node/base/testing';
import { MONERO_SHAPE } from '@monero-node/curve-tree';
import { contentsOf } from '@monero-node/curve-tree/testing';
import { createMemoryStore, openLmdbStore } from '@monero-node/storage';
import { describeChain } from '../testing/describe-chain.ts';
import { killedAfter } from '../testing/killed-child.ts';
import { BLOCKS_PER_COMMIT, outputBranch } from '../testing/output-branch.ts';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

const KILLS = sampleSize({ usual: 3, whole: 10 });
const blocks = outputBranch().map(bundleOf);

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'blockchain-kill-'));
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

test('killed while one run is stored and the next is verified, a chain has what it has announced', async () => {
  for (let round = 0; round < KILLS; round++) {
    const heights = await killedAfter(Math.random() * 200, 'span-child.ts', path);
    const reported = heights.at(-1) as number;
    const store = await openLmdbStore({ path });
    // At most the commit that was under way has been finished besides.
    expect(store.height).toBeGreaterThanOrEqual(reported);
    expect(store.height).toBeLessThanOrEqual(reported + BLOCKS_PER_COMMIT);
    const twin = await startTestChain(EASY, createMemoryStore());
    await twin.chain.addSpan(blocks.slice(0, store.height - 1), { trust: true });
    expect(describeChain(store)).toEqual(describeChain(twin.store));
    await store.close();
  }
  const store = await openLmdbStore({ path });
  const { chain } = await startTestChain(EASY, store);
  await chain.addSpan(blocks.slice(chain.height - 1), { trust: true });
  expect(chain.topId).toEqual(blocks.at(-1)?.block.id);
  await store.close();
}, 120_000);

test('killed while blocks are added and taken back, a chain has the curve tree of its blocks', async () => {
  const recorded = recordedChain('odd-coinbases');
  const network = recordedNetwork(recorded);
  const { chain: twin } = await startTestChain(network);
  await twin.addSpan(recordedBlocks(recorded, 1, recorded.blocks.length));
  for (let round = 0; round < KILLS; round++) {
    await killedAfter(Math.random() * 1500, 'tree-child.ts', path);
    const store = await openLmdbStore({ path });
    const { height } = store;
    expect(store.tree.indexes()).toBe(height + 9);
    const { chain } = await startTestChain(network, createMemoryStore());
    await chain.addSpan(recordedBlocks(recorded, 1, height), { trust: true });
    const contents = contentsOf(store.tree, MONERO_SHAPE, height + 100);
    expect(contents).toEqual(contentsOf(chain.store.tree, MONERO_SHAPE, height + 100));
    expect(store.tree.state(height + 8)).toEqual(twin.store.tree.state(height + 8));
    await store.close();
  }
}, 120_000);
