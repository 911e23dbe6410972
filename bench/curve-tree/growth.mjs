// Adds blocks of synthetic outputs to the curve tree of a store: one by one as a node does at the tip, and in batches as the one-time build
// does.
import { runAtOnce } from '@monero-node/base';
import { TREE_AHEAD } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import {
  CurveTree,
  growByOutputs,
  growthAboveSteps,
  MONERO_SHAPE,
  TreeView,
} from '@monero-node/curve-tree';

/** @import { ChainStore } from '@monero-node/storage' */
/** @import { PendingGrowth, TreeThreads } from '@monero-node/curve-tree/threads' */
/** @import { BlockAddition, OutputGrowth, ScheduledOutput, TreeHasher } from '@monero-node/curve-tree' */

/** As many as a block of mainnet had on average. */
const OUTPUTS_OF_BLOCK = 46;
/** As the one-time build has them: on one thread, and with more, of which some steps are computed ahead. */
const BLOCKS_OF_STEP = 22;
const BLOCKS_OF_BATCH = 87;
const BATCHES_AHEAD = 3;
const POINTS = 4600;

/** Keys and commitments that are points: two outputs have the same after 4,600 others. */
function makePoints() {
  const backend = createBackend();
  return Array.from({ length: POINTS }, (_, i) => backend.commitToAmount(BigInt(i)));
}

const points = makePoints();

/**
 * Returns the outputs of a block, half of them Carrot outputs.
 *
 * @param {number} height
 * @returns {ScheduledOutput[]}
 */
function outputsOf(height) {
  return Array.from({ length: OUTPUTS_OF_BLOCK }, (_, i) => {
    const number = height * OUTPUTS_OF_BLOCK + i;
    const [key, commitment] = [7 * number + 1, number].map((at) => points[at % POINTS]);
    if (key === undefined || commitment === undefined) throw new Error('a point is missing');
    const kind = i % 2 === 0 ? 'legacy' : 'carrot';
    return { key, commitment, kind, entersAt: BigInt(height + TREE_AHEAD) };
  });
}

/**
 * Returns how many blocks the tree of a store has.
 *
 * @param {ChainStore} store
 */
function blocksOf(store) {
  return Math.max(0, store.tree.indexes() - TREE_AHEAD);
}

/**
 * Returns the leaves of the tree of a store.
 *
 * @param {ChainStore} store
 */
export function leavesOf(store) {
  const indexes = store.tree.indexes();
  return indexes === 0 ? 0 : store.tree.state(indexes - 1).leaves;
}

/**
 * Adds blocks to the stored tree in one commit, on this thread.
 *
 * @param {ChainStore} store
 * @param {TreeHasher} hasher
 * @param {number} count
 */
export async function addAlone(store, hasher, count) {
  const height = blocksOf(store);
  const blocks = Array.from({ length: count }, (_, i) => outputsOf(height + i));
  await addBlocks(store, blocks, (before, _, entering) =>
    growByOutputs(hasher, MONERO_SHAPE, before, entering),
  );
}

/**
 * Adds blocks to the stored tree in one commit.
 *
 * @param {ChainStore} store
 * @param {ScheduledOutput[][]} blocks
 * @param {(before: BlockAddition['before'], block: number, entering: BlockAddition['entering']) => OutputGrowth} growthOf
 */
async function addBlocks(store, blocks, growthOf) {
  const tree = new CurveTree(new TreeView(store.tree, MONERO_SHAPE, blocksOf(store)));
  /** @type {{ addition: BlockAddition, growth: OutputGrowth }[]} */
  const grown = [];
  for (const [i, outputs] of blocks.entries()) {
    const addition = tree.prepare(outputs);
    const growth = growthOf(addition.before, i, addition.entering);
    tree.add(addition, growth);
    grown.push({ addition, growth });
  }
  await store.commit({
    tree: function* (staged) {
      const stored = new CurveTree(staged);
      for (const { addition, growth } of grown) {
        stored.add(addition, growth);
        yield;
      }
    },
  });
}

/**
 * Adds blocks in steps as the one-time build does without threads, until the tree has so many leaves.
 *
 * @param {ChainStore} store
 * @param {TreeHasher} hasher
 * @param {number} leaves
 * @param {(leaves: number) => void} onStep
 */
export async function buildAlone(store, hasher, leaves, onStep) {
  while (leavesOf(store) < leaves) {
    await addAlone(store, hasher, BLOCKS_OF_STEP);
    onStep(leavesOf(store));
  }
}

/**
 * Adds blocks as the one-time build does, the lowest layer on threads, until the tree has so many leaves. Every output enters with its block, so
 * that what enters is known.
 *
 * @param {ChainStore} store
 * @param {TreeHasher} hasher
 * @param {TreeThreads} threads
 * @param {number} leaves
 * @param {(leaves: number) => void} onStep
 */
export async function buildOnThreads(store, hasher, threads, leaves, onStep) {
  const first = blocksOf(store);
  const batches = Math.ceil((leaves - leavesOf(store)) / (BLOCKS_OF_BATCH * OUTPUTS_OF_BLOCK));
  const state = first === 0 ? undefined : store.tree.state(store.tree.indexes() - 1);
  /** @type {PendingGrowth['end'] | { leaves: number, node: Uint8Array | undefined }} */
  let end = { leaves: state?.leaves ?? 0, node: state?.edge[0] };
  /** @type {{ blocks: ScheduledOutput[][], growth: PendingGrowth }[]} */
  const ahead = [];
  for (let read = 0, written = 0; written < batches; written++) {
    for (; read < batches && ahead.length < BATCHES_AHEAD; read++) {
      const from = first + read * BLOCKS_OF_BATCH;
      const blocks = Array.from({ length: BLOCKS_OF_BATCH }, (_, i) => outputsOf(from + i));
      const growth = threads.grow(blocks, end);
      end = growth.end;
      ahead.push({ blocks, growth });
    }
    const batch = ahead.shift();
    if (batch === undefined) return;
    const bottoms = await batch.growth.bottoms;
    await addBlocks(store, batch.blocks, (before, i) => {
      const bottom = bottoms[i];
      if (bottom === undefined) throw new Error('a block is missing');
      return runAtOnce(growthAboveSteps(hasher, MONERO_SHAPE, before, bottom));
    });
    onStep(leavesOf(store));
  }
}
