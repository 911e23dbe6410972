import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWhole } from '@monero-node/base/testing';
import { createBackend } from '@monero-node/crypto';
import { openLmdbStore } from '@monero-node/storage';
import { recordedBlocks, recordedChain } from '../testing/recorded-blocks.ts';
import { expectRecordedTree, openRecordedChain } from '../testing/recorded-trees.ts';
import { killedAfter } from '../testing/killed-child.ts';
import { ChainTree } from '../view/tree/chain-tree.ts';

const NAMES = ['odd-coinbases', 'long', 'short'] as const;

// Blocks of 27,000 outputs.
test.each(isWhole() ? ([...NAMES, 'wide-tree'] as const) : NAMES)(
  'the chain %s is taken over from its blocks to its end, with every leaf and edge',
  async (name) => {
    const recorded = recordedChain(name);
    const end = recorded.blocks.length;
    const path = mkdtempSync(join(tmpdir(), 'recorded-tree-'));
    const store = await openLmdbStore({ path, syncMode: 'fastest' });
    const chain = await openRecordedChain(recorded, store);
    const { results } = await chain.addSpan(recordedBlocks(recorded, 1, end));
    expect(results.filter(({ status }) => status !== 'added')).toEqual([]);
    expect([chain.height, store.tree.indexes()]).toEqual([end, end + 9]);
    expectRecordedTree(store, name);
    await store.close();
    rmSync(path, { recursive: true });
  },
  600_000,
);

test('the tree of stored blocks is built to its end, however often the process is killed', async () => {
  const name = isWhole() ? 'wide-tree' : 'long';
  const recorded = recordedChain(name);
  const path = mkdtempSync(join(tmpdir(), 'killed-build-'));
  let store = await openLmdbStore({ path, syncMode: 'fastest' });
  const old = await openRecordedChain(recorded, store);
  await old.addSpan(recordedBlocks(recorded, 1, recorded.blocks.length), { trust: true });
  // The blocks stay, as those of an old chain.
  const tree = new ChainTree(store, (amount) => createBackend().commitToAmount(amount));
  await store.commit({ tree: tree.changeFrom(0, []) });
  expect([store.height, store.tree.indexes()]).toEqual([recorded.blocks.length, 0]);
  let built = 0;
  for (let kill = 0; kill < 5; kill++) {
    await store.close();
    await killedAfter(Math.random() * 800, 'build-child.ts', path, name);
    store = await openLmdbStore({ path, syncMode: 'fastest' });
    const indexes = store.tree.indexes();
    expect(indexes).toBeGreaterThanOrEqual(built);
    expectRecordedTree(store, name);
    built = indexes;
  }
  await openRecordedChain(recorded, store);
  expect(store.tree.indexes()).toBe(recorded.blocks.length + 9);
  expectRecordedTree(store, name);
  await store.close();
  rmSync(path, { recursive: true });
}, 600_000);
