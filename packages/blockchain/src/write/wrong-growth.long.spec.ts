import { jest } from '@jest/globals';
import { type Logger, silentLogger } from '@monero-node/base';
import { encodeBlock, parseBlock } from '@monero-node/codec';
import {
  createTreeHasher,
  MONERO_SHAPE,
  REFERENCE_HASHER,
  type TreeHasher,
} from '@monero-node/curve-tree';
import { contentsOf } from '@monero-node/curve-tree/testing';
import { withOverrides } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import { G } from '@monero-node/crypto/testing';
import { createMemoryStore } from '@monero-node/storage';
import type { Blockchain } from '../blockchain.ts';
import { openBlockchain } from '../open.ts';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { FixedPow, mineBlocks, NOW, startTestChain } from '../testing/test-chain.ts';
import type { IncomingBlock } from '../types.ts';
import { ChainTree } from '../view/tree/chain-tree.ts';
import { NO_TREE } from '../view/tree-roots.ts';
import { buildTree } from './build-tree.ts';

/** Versions 17 from block 75 on and 18 from 85 on; each block lets in a coinbase. */
const recorded = recordedChain('odd-coinbases');
const network = recordedNetwork(recorded);
const TRUNK = 78;
const address = { spendKey: G.toBytes(), viewKey: G.toBytes() };

/** Native code that hashes something else while it is told to. */
class FaultyHasher implements TreeHasher {
  isFaulty = false;
  readonly #right = createTreeHasher();
  readonly pieces = this.#right.pieces ?? { outputs: 48, children: 228 };

  leavesOf(...args: Parameters<TreeHasher['leavesOf']>): ReturnType<TreeHasher['leavesOf']> {
    return this.#right.leavesOf(...args);
  }

  grow(changes: Parameters<TreeHasher['grow']>[0]): ReturnType<TreeHasher['grow']> {
    if (!this.isFaulty) return this.#right.grow(changes);
    return this.#right.grow(
      changes.map((change) => ({
        ...change,
        children: change.children.map((child) =>
          child.map((byte, at) => byte ^ (at === 0 ? 1 : 0)),
        ),
      })),
    );
  }
}

interface Watched {
  readonly chain: Blockchain;
  readonly hasher: FaultyHasher;
  readonly errors: string[];
}

async function startWatched(its: typeof network = network): Promise<Watched> {
  const hasher = new FaultyHasher();
  const errors: string[] = [];
  const own: Logger = { ...silentLogger, error: (line) => void errors.push(line) };
  const logger: Logger = { ...own, child: () => own };
  const chain = await openBlockchain(
    { network: its, now: () => NOW },
    { store: createMemoryStore(), pow: new FixedPow(), treeHasher: hasher, logger },
  );
  await chain.addSpan(recordedBlocks(recorded, 1, TRUNK));
  return { chain, hasher, errors };
}

/** Blocks above the trunk that another node has made. */
async function blocksAbove(count: number): Promise<{ other: Blockchain; blocks: IncomingBlock[] }> {
  const { chain: other } = await startTestChain(network);
  await other.addSpan(recordedBlocks(recorded, 1, TRUNK));
  return { other, blocks: await mine(other, count) };
}

const mine = (chain: Blockchain, count: number) => mineBlocks(chain, address, count);

const treeOf = ({ store }: Pick<Blockchain, 'store'>): unknown =>
  contentsOf(store.tree, MONERO_SHAPE, store.height + 100);

async function added(chain: Blockchain, block: IncomingBlock): Promise<string> {
  return (await chain.addBlock(block)).status;
}

function withWrongRoot({ block }: IncomingBlock, byte: number): IncomingBlock {
  const { tree } = block.block;
  if (tree === undefined) throw new Error('a block without a tree');
  const root = tree.root.map((each, at) => (at === 1 ? each ^ byte : each));
  const wrong = { ...block.block, tree: { ...tree, root } };
  return { block: parseBlock(encodeBlock(wrong)), txs: [] };
}

test('a block is not refused for a root of this node that the reference finds wrong: the stored tree is mended', async () => {
  const { chain, hasher, errors } = await startWatched();
  const { other, blocks } = await blocksAbove(5);
  for (const [i, block] of blocks.entries()) {
    hasher.isFaulty = i === 2;
    expect(await added(chain, block)).toBe('added');
  }
  expect(treeOf(chain)).toEqual(treeOf(other));
  expect(errors).toEqual([
    expect.stringMatching(`wrong curve tree for block ${TRUNK + 2}.*the next block agrees`),
  ]);
});

test('blocks that come together are not refused for it either', async () => {
  const { chain, hasher, errors } = await startWatched();
  const { other, blocks } = await blocksAbove(6);
  hasher.isFaulty = true;
  const { results } = await chain.addSpan(blocks);
  expect(results.map(({ status }) => status)).toEqual(blocks.map(() => 'added'));
  // The newest is wrong until the next one comes.
  expect(errors).toHaveLength(blocks.length - 1);
  hasher.isFaulty = false;
  const [next] = await mine(other, 1);
  expect(await added(chain, next as IncomingBlock)).toBe('added');
  expect(errors).toHaveLength(blocks.length);
  expect(treeOf(chain)).toEqual(treeOf(other));
});

test('blocks of a side chain are not refused for it, nor is their reorganization', async () => {
  const { chain, hasher, errors } = await startWatched();
  const { other, blocks } = await blocksAbove(4);
  await mine(chain, 3);
  hasher.isFaulty = true;
  const statuses: string[] = [];
  for (const block of blocks) statuses.push(await added(chain, block));
  expect(statuses).toEqual(['alternative', 'alternative', 'alternative', 'reorganized']);
  hasher.isFaulty = false;
  const [next] = await mine(other, 1);
  expect(await added(chain, next as IncomingBlock)).toBe('added');
  expect(treeOf(chain)).toEqual(treeOf(other));
  expect(errors).toHaveLength(4);
});

test('wrong roots of strangers cost one computation of the reference for a top, and are refused', async () => {
  const { chain, errors } = await startWatched();
  const { blocks } = await blocksAbove(2);
  const growths = jest.spyOn(REFERENCE_HASHER, 'grow');
  const [first, second] = blocks as [IncomingBlock, IncomingBlock];
  for (const block of [first, second]) {
    const calls: number[] = [];
    growths.mockClear();
    for (const byte of [1, 2, 3, 4]) {
      const refused = await chain.addBlock(withWrongRoot(block, byte));
      expect(refused).toMatchObject({ status: 'invalid', error: { code: 'tree-root' } });
      calls.push(growths.mock.calls.length);
    }
    expect(calls[0]).toBeGreaterThan(0);
    expect(new Set(calls).size).toBe(1);
    expect(await added(chain, block)).toBe('added');
  }
  growths.mockRestore();
  expect(errors).toEqual([]);
});

test('a build does not end at a block for a root that it has computed wrong', async () => {
  const { other } = await blocksAbove(4);
  const blocks = Array.from({ length: other.height - 1 }, (_, i): IncomingBlock => {
    const blob = other.store.blockBlob(i + 1);
    if (blob === undefined) throw new Error(`no block ${i + 1}`);
    return { block: parseBlock(blob), txs: [] };
  });
  const store = createMemoryStore();
  const without = { store, pow: new FixedPow(), treeRoots: NO_TREE };
  const chain = await openBlockchain({ network, now: () => NOW }, without);
  await chain.addSpan(blocks, { trust: true });
  const hasher = new FaultyHasher();
  const commitToAmount = (amount: bigint) => createBackend().commitToAmount(amount);
  const wrong: number[] = [];
  const onWrong = (height: number): void => {
    wrong.push(height);
    hasher.isFaulty = false;
  };
  const tree = ChainTree.growing(store, commitToAmount, { hasher, onWrong });
  const startThreads = () => Promise.resolve(undefined);
  const whileStill = async (commit: () => Promise<void>): Promise<void> => {
    await commit();
    if (tree.blocks === TRUNK) hasher.isFaulty = true;
  };
  const limits = { blocks: 1, outputs: 9 };
  const options = { store, tree, logger: silentLogger, startThreads, whileStill, limits };
  expect(await buildTree(options)).toBeUndefined();
  expect(wrong).toEqual([TRUNK]);
  expect(treeOf({ store })).toEqual(treeOf(other));
});

test('a block with a wrong root and without its work has nothing computed', async () => {
  // Of difficulty 1 any hash will do.
  const { chain } = await startWatched(withOverrides(network, { fixedDifficulty: 2n }));
  const { blocks } = await blocksAbove(2);
  const [block, second] = blocks as [IncomingBlock, IncomingBlock];
  const growths = jest.spyOn(REFERENCE_HASHER, 'grow');
  const hash = jest.spyOn(FixedPow.prototype, 'hash');
  hash.mockResolvedValue(new Uint8Array(32).fill(0xff));
  for (const byte of [1, 2]) {
    const refused = await chain.addBlock(withWrongRoot(block, byte));
    expect(refused).toMatchObject({ status: 'invalid', error: { code: 'bad-proof-of-work' } });
  }
  const { results } = await chain.addSpan([withWrongRoot(block, 3)]);
  expect(results).toMatchObject([{ status: 'invalid' }]);
  hash.mockResolvedValueOnce(new Uint8Array(32));
  const { results: two } = await chain.addSpan([block, withWrongRoot(second, 3)]);
  expect(two.map(({ status }) => status)).toEqual(['added', 'invalid']);
  expect(growths).not.toHaveBeenCalled();
  hash.mockRestore();
  const { results: worked } = await chain.addSpan([withWrongRoot(second, 4)]);
  expect(worked).toMatchObject([{ status: 'invalid', error: { code: 'tree-root' } }]);
  expect(growths).toHaveBeenCalled();
  growths.mockRestore();
});
