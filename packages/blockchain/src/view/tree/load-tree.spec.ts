import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { createMemoryStore } from '@monero-node/storage/memory';
import { NO_TREE } from '../tree-roots.ts';
import { ChainTree } from './chain-tree.ts';
import { loadChainTree, loadTreeRoots } from './load-tree.ts';

const commitToAmount = () => new Uint8Array(32);
const store = createMemoryStore();
const { regtest } = NETWORKS;
const next = withOverrides(regtest, {
  hardForks: [...regtest.hardForks, { version: 17, height: 40, time: 40 }],
});

test.each(Object.entries(NETWORKS))('a chain of %s keeps no tree', async (_, network) => {
  const chain = { network, store, commitToAmount };
  expect(await loadChainTree(chain)).toBeUndefined();
  expect(await loadTreeRoots(chain)).toBe(NO_TREE);
});

test('a chain keeps a tree where its network has version 17, and where one is stored', async () => {
  const chain = { network: next, store, commitToAmount };
  expect(await loadChainTree(chain)).toBeInstanceOf(ChainTree);
  expect(await loadTreeRoots(chain)).toBeInstanceOf(ChainTree);
  const asked = { network: regtest, store, commitToAmount, asked: true };
  expect(await loadChainTree(asked)).toBeInstanceOf(ChainTree);
  const grown = { ...store, tree: { ...store.tree, indexes: () => 1 } };
  const withoutVersion = { network: regtest, store: grown, commitToAmount };
  expect(await loadChainTree(withoutVersion)).toBeInstanceOf(ChainTree);
});
