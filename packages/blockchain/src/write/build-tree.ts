import { Yielder, type Logger } from '@monero-node/base';
import { parseBlock } from '@monero-node/codec';
import { ConsensusError, rulesFor } from '@monero-node/consensus';
import { type ChainReader, type ChainWriter, StorageError } from '@monero-node/storage/memory';
import type { ChainTree } from '../view/tree/chain-tree.ts';
import { storedScheduledBlock } from '../view/tree/stored-block.ts';

/** Blocks, and outputs of them, whose part of the tree is written together: what a stop loses at the most. */
const STEP_BLOCKS = 200;
const STEP_OUTPUTS = 1000;

/** Blocks between two lines of the log. */
const LOG_EVERY = 1000;

export interface BuildDependencies {
  readonly store: ChainReader & ChainWriter;
  readonly tree: ChainTree;
  readonly logger: Logger;
}

/**
 * Grows the stored tree until it has all stored blocks: on the first start with a network that has a curve tree, and after a stop meanwhile.
 * Returns the height of the first block that commits to another tree, below which the tree ends then; undefined when there is none.
 *
 * Throws StorageError, also `damaged` when the tree has more blocks than the chain.
 */
export async function buildTree({
  store,
  tree,
  logger,
}: BuildDependencies): Promise<number | undefined> {
  const first = tree.blocks;
  if (first > store.height)
    throw new StorageError(
      'damaged',
      `the curve tree has ${first} blocks, the chain ${store.height}`,
    );
  if (first === store.height) return undefined;
  logger.info(`building the curve tree of ${store.height - first} blocks`);
  let logged = first;
  while (tree.blocks < store.height) {
    const wrong = await buildStep(store, tree);
    if (wrong !== undefined) return wrong;
    if (tree.blocks < logged + LOG_EVERY) continue;
    logged = tree.blocks;
    logger.info(`the curve tree has ${logged} of ${store.height} blocks`);
  }
  logger.info('the curve tree is built');
  return undefined;
}

/** Adds some blocks. Returns the height of one that commits to another tree, if there is one. */
async function buildStep(
  store: ChainReader & ChainWriter,
  tree: ChainTree,
): Promise<number | undefined> {
  const yielder = new Yielder();
  const base = tree.blocks;
  const view = tree.viewAt(base);
  const end = Math.min(store.height, base + STEP_BLOCKS);
  let outputs = 0;
  let wrong: number | undefined;
  for (let height = base; height < end && outputs < STEP_OUTPUTS; height++) {
    const meta = store.blockMeta(height);
    if (meta === undefined) throw new StorageError('damaged', `block ${height} is missing`);
    const rules = rulesFor(meta.majorVersion);
    try {
      if (rules.curveTree) view.checkHeader(headerTree(store, height), rules);
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      wrong = height;
      break;
    }
    await view.grow(meta.id, storedScheduledBlock(store, height), yielder);
    outputs += view.blocks.at(-1)?.addition.outputs ?? 0;
  }
  await store.commit({ tree: tree.changeFrom(base, view.blocks) });
  return wrong;
}

function headerTree(store: ChainReader, height: number) {
  const blob = store.blockBlob(height);
  if (blob === undefined) throw new StorageError('damaged', `block ${height} is missing`);
  return parseBlock(blob).block.tree;
}
