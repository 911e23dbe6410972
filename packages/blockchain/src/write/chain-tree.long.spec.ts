import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Yielder } from '@monero-node/base';
import { encodeBlock, parseBlock, toHex } from '@monero-node/codec';
import { MONERO_SHAPE } from '@monero-node/curve-tree';
import { contentsOf } from '@monero-node/curve-tree/testing';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import { G } from '@monero-node/crypto/testing';
import { type ChainReader, type ChainStore, openLmdbStore } from '@monero-node/storage';
import type { Blockchain } from '../blockchain.ts';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { FixedPow, mineBlocks, NOW, startTestChain } from '../testing/test-chain.ts';
import { openBlockchain } from '../open.ts';
import type { IncomingBlock } from '../types.ts';
import { ChainTree } from '../view/tree/chain-tree.ts';
import { storedScheduledBlock } from '../view/tree/stored-block.ts';
import { NO_TREE } from '../view/tree-roots.ts';

/** Versions 17 from block 75 on and 18 from 85 on. */
const recorded = recordedChain('odd-coinbases');
const network = recordedNetwork(recorded);
/** The same blocks without a tree: nothing of version 17. */
const before17 = withOverrides(network, {
  hardForks: network.hardForks.filter(({ version }) => version < 17),
});
/** Where branches begin: below both forks, above the first leaf. */
const TRUNK = 70;
const address = { spendKey: G.toBytes(), viewKey: G.toBytes() };

async function chainOfTrunk(store?: ChainStore): Promise<Blockchain> {
  const { chain } = await startTestChain(network, store);
  await chain.addSpan(recordedBlocks(recorded, 1, TRUNK));
  return chain;
}

const mine = (chain: Blockchain, count: number) => mineBlocks(chain, address, count);

async function statuses(chain: Blockchain, blocks: readonly IncomingBlock[]): Promise<string[]> {
  const { results } = await chain.addSpan(blocks);
  return results.map(({ status }) => status);
}

/** All of a stored tree, with the roots that its chain tells. */
function treeOf(chain: Blockchain): unknown {
  const { store } = chain;
  const roots = Array.from({ length: store.height + 2 }, (_, i) => chain.treeRoots.rootAtHeight(i));
  return [contentsOf(store.tree, MONERO_SHAPE, store.height + 100), roots, indexesFit(store)];
}

function indexesFit(store: ChainReader): boolean {
  return store.tree.indexes() === store.height + 9;
}

/** Returns the block with another root. */
function changed(
  { block }: IncomingBlock,
  change: { layers?: number; byte?: number },
): IncomingBlock {
  const { tree } = block.block;
  const root = Uint8Array.from(tree?.root ?? [], (byte, i) =>
    i === 3 ? byte ^ (change.byte ?? 0) : byte,
  );
  const layers = (tree?.layers ?? 0) + (change.layers ?? 0);
  return { block: parseBlock(encodeBlock({ ...block.block, tree: { layers, root } })), txs: [] };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-tree-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the tree follows reorganizations across both forks, and back, in each store', async () => {
  const store = await openLmdbStore({ path: folder, syncMode: 'fastest' });
  const chain = await chainOfTrunk(store);
  const [left, right] = [await chainOfTrunk(), await chainOfTrunk()];
  const leftBlocks = await mine(left, 18);
  expect(await statuses(chain, leftBlocks)).toEqual(leftBlocks.map(() => 'added'));
  expect(treeOf(chain)).toEqual(treeOf(left));
  const rightBlocks = await mine(right, 19);
  const isLast = (i: number) => i === rightBlocks.length - 1;
  expect(await statuses(chain, rightBlocks)).toEqual(
    rightBlocks.map((_, i) => (isLast(i) ? 'reorganized' : 'alternative')),
  );
  expect(treeOf(chain)).toEqual(treeOf(right));
  const more = await mine(left, 2);
  expect(await statuses(chain, more)).toEqual(['alternative', 'reorganized']);
  expect(treeOf(chain)).toEqual(treeOf(left));
  await chain.popBlocks(20);
  expect(treeOf(chain)).toEqual(treeOf(await chainOfTrunk()));
  await store.close();
});

test('a root is told for the blocks of the main chain, and for the block that is to come', async () => {
  const chain = await chainOfTrunk();
  await mine(chain, 8);
  const { treeRoots, store, height } = chain;
  for (let at = 75; at < height; at++) {
    const prevId = store.blockMeta(at - 1)?.id as Uint8Array;
    const { block } = parseBlock(store.blockBlob(at) as Uint8Array);
    expect(treeRoots.treeAt({ height: at, prevId })).toEqual(block.tree);
    expect(treeRoots.treeAt({ height: at, prevId: new Uint8Array(32) })).toBeUndefined();
    // The header of block h has the root of index h + 8.
    if (at + 8 < height) expect(treeRoots.rootAtHeight(at + 8)).toEqual(block.tree);
  }
  expect(treeRoots.treeAt({ height, prevId: chain.topId })?.layers).toBe(1);
  expect(treeRoots.treeAt({ height: height + 1, prevId: chain.topId })).toBeUndefined();
  expect(treeRoots.rootAtHeight(58)).toEqual({ layers: 0, root: new Uint8Array(32) });
  expect(treeRoots.rootAtHeight(59)?.layers).toBe(1);
  for (const at of [-1, 0, 1.5, height, Infinity])
    expect(treeRoots.rootAtHeight(at)).toBeUndefined();
});

test('a block with another root or other layers is refused, on top and on a side chain, before it is the longest', async () => {
  const chain = await chainOfTrunk();
  const other = await chainOfTrunk();
  const [blocks, sides] = [await mine(chain, 10), await mine(other, 9)];
  const [next] = await mine(other, 1);
  for (const change of [{ layers: 1 }, { layers: -1 }, { byte: 1 }]) {
    const top = changed((await mine(chain, 1))[0] as IncomingBlock, change);
    await chain.popBlocks(1);
    const refused = await chain.addBlock(top);
    expect([refused.status, refused]).toMatchObject(['invalid', { error: { code: 'tree-root' } }]);
  }
  const good = sides.slice(0, 8);
  expect(await statuses(chain, good)).toEqual(good.map(() => 'alternative'));
  // A template on the side chain has its root.
  const place = { height: TRUNK + 8, prevId: (good[7] as IncomingBlock).block.id };
  expect(chain.treeRoots.treeAt(place)).toEqual(sides[8]?.block.block.tree);
  expect(chain.treeRoots.treeAt({ ...place, height: TRUNK + 7 })).toBeUndefined();
  const bad = changed(sides[8] as IncomingBlock, { byte: 1 });
  const refused = await chain.addBlock(bad);
  expect(refused).toMatchObject({ status: 'invalid', error: { code: 'tree-root' } });
  expect(chain.has(bad.block.id)).toBe('invalid');
  expect(await statuses(chain, [...sides.slice(8), next as IncomingBlock])).toEqual([
    'alternative',
    'alternative',
  ]);
  expect(toHex(chain.topId)).toBe(toHex((blocks[9] as IncomingBlock).block.id));
});

test('the tree of a chain that has none is built when it is opened, and goes on after a stop', async () => {
  const path = folder;
  let store = await openLmdbStore({ path, syncMode: 'fastest' });
  const { chain: old } = await startTestChain(before17, store);
  await old.addSpan(recordedBlocks(recorded, 1, TRUNK));
  expect(store.tree.indexes()).toBe(0);
  // What a stop in the middle leaves: a tree of fewer blocks.
  const commitToAmount = (amount: bigint) => createBackend().commitToAmount(amount);
  const tree = new ChainTree(store, commitToAmount);
  const part = tree.viewAt(0);
  for (let height = 0; height < 65; height++) {
    const id = store.blockMeta(height)?.id as Uint8Array;
    await part.grow(id, storedScheduledBlock(store, height), new Yielder());
  }
  await store.commit({ tree: tree.changeFrom(0, part.blocks) });
  expect([tree.blocks, store.height]).toEqual([65, TRUNK]);
  const { chain: whole } = await startTestChain(network, store);
  expect(treeOf(whole)).toEqual(treeOf(await chainOfTrunk()));
  await store.close();
  store = await openLmdbStore({ path, syncMode: 'fastest' });
  // The tree goes on also where the network has no version 17 any more: it would be another chain's later.
  const { chain: again } = await startTestChain(before17, store);
  await again.addSpan(recordedBlocks(recorded, TRUNK, 72));
  await again.popBlocks(1);
  expect([store.height, indexesFit(store)]).toEqual([71, true]);
  await store.close();
});

test('stored blocks that commit to another tree are dropped when the tree is built', async () => {
  const { chain } = await startTestChain(network);
  await chain.addSpan(recordedBlocks(recorded, 1, 80));
  const wrong = changed(recordedBlocks(recorded, 80, 81)[0] as IncomingBlock, { byte: 1 });
  const store = await openLmdbStore({ path: folder, syncMode: 'fastest' });
  const options = { network, now: () => NOW };
  const unchecked = await openBlockchain(options, {
    store,
    pow: new FixedPow(),
    treeRoots: NO_TREE,
  });
  await unchecked.addSpan([...recordedBlocks(recorded, 1, 80), wrong]);
  expect([store.height, store.tree.indexes()]).toEqual([81, 0]);
  const checked = await openBlockchain(options, { store, pow: new FixedPow() });
  expect(checked.height).toBe(80);
  expect(treeOf(checked)).toEqual(treeOf(chain));
  // Roots of a caller would let the stored tree go wrong.
  const foreign = openBlockchain(options, { store, pow: new FixedPow(), treeRoots: NO_TREE });
  await expect(foreign).rejects.toMatchObject({ name: 'OptionError', option: 'treeRoots' });
  await store.close();
});

test('a tree of more blocks than the chain is found when the chain is opened', async () => {
  const store = await openLmdbStore({ path: folder, syncMode: 'fastest' });
  const chain = await chainOfTrunk(store);
  await chain.stop();
  await store.commit({ popTo: TRUNK - 1 });
  await expect(startTestChain(network, store)).rejects.toMatchObject({ code: 'damaged' });
  await store.close();
});

test('no tree is grown for blocks whose proof of work is bad, and none is verified twice', async () => {
  const strict = withOverrides(network, { fixedDifficulty: 1n << 100n });
  const { chain, pow } = await startTestChain(strict);
  pow.hashed = new Uint8Array(32);
  expect(await statuses(chain, recordedBlocks(recorded, 1, 20))).toHaveLength(19);
  expect([chain.height, pow.requests]).toEqual([20, 19]);
  pow.hashed = new Uint8Array(32).fill(0xff);
  const { results } = await chain.addSpan(recordedBlocks(recorded, 20, 40));
  expect(results).toMatchObject([
    { status: 'invalid', error: { code: 'bad-proof-of-work', height: 20 } },
  ]);
  // The block above waits for the tree of the one below.
  expect([chain.height, pow.requests]).toEqual([20, 20]);
});

test('a block of a span that commits to another tree is refused, with its height', async () => {
  const { chain } = await startTestChain(network);
  await chain.addSpan(recordedBlocks(recorded, 1, 80));
  const wrong = changed(recordedBlocks(recorded, 80, 81)[0] as IncomingBlock, { byte: 1 });
  const { results } = await chain.addSpan([wrong]);
  expect(results).toMatchObject([{ status: 'invalid', error: { code: 'tree-root', height: 80 } }]);
});

test('public networks keep no tree', async () => {
  const { chain, store } = await startTestChain(
    withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n }),
  );
  await chain.addSpan(recordedBlocks(recorded, 1, 20));
  expect([store.height, store.tree.indexes()]).toEqual([20, 0]);
  expect(chain.treeRoots.rootAtHeight(5)).toBeUndefined();
});
