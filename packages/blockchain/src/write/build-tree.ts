import { MachineError, type Logger, Yielder } from '@monero-node/base';
import { machineLimits } from '@monero-node/base/machine';
import { parseBlock } from '@monero-node/codec';
import { ConsensusError, rulesFor } from '@monero-node/consensus';
import type { TreeThreads } from '@monero-node/curve-tree/threads';
import { type ChainReader, type ChainWriter, StorageError } from '@monero-node/storage/memory';
import type { ChainTree } from '../view/tree/chain-tree.ts';
import { storedScheduledBlock } from '../view/tree/stored-block.ts';
import type { ViewTree } from '../view/tree/view-tree.ts';
import { type BatchLimits, TreeBatches } from './tree-batches.ts';

/** Blocks, and outputs of them, whose part of the tree is written together on one thread: what a stop loses at the most. */
const STEP_BLOCKS = 200;
const STEP_OUTPUTS = 1000;

/** Blocks between two lines of the log. */
const LOG_EVERY = 1000;
/** For fewer blocks no threads are started. */
const BLOCKS_FOR_THREADS = 500;

export interface BuildDependencies {
  readonly store: ChainReader & ChainWriter;
  readonly tree: ChainTree;
  readonly logger: Logger;
  /** Starts the threads that compute; by default one for each processor, where there are two or more and blocks enough. */
  readonly startThreads?: (blocks: number) => Promise<TreeThreads | undefined>;
  /** Ends the build, whose next one goes on: after a step at the latest. */
  readonly signal?: AbortSignal | undefined;
  /** Of the steps with threads, see {@link TreeBatches}. */
  readonly limits?: BatchLimits;
}

/**
 * Grows the stored tree until it has all stored blocks: on the first start with a network that has a curve tree, and after a stop meanwhile.
 * Returns the height of the first block that commits to another tree, below which the tree ends then; undefined when there is none.
 * Threads compute what can be divided. Where they crash again and again, this one goes on alone, and the log says so.
 *
 * Throws StorageError, also `damaged` when the tree has more blocks than the chain, and the reason of the signal.
 */
export async function buildTree(dependencies: BuildDependencies): Promise<number | undefined> {
  const { store, tree, logger, startThreads = startTreeThreads } = dependencies;
  const first = tree.blocks;
  if (first > store.height)
    throw new StorageError(
      'damaged',
      `the curve tree has ${first} blocks, the chain ${store.height}`,
    );
  if (first === store.height) return undefined;
  const threads = await startThreads(store.height - first);
  const by = threads === undefined ? 'one thread' : `${threads.threads} threads`;
  logger.info(`building the curve tree of ${store.height - first} blocks on ${by}`);
  let wrong: number | undefined;
  try {
    if (threads !== undefined) wrong = await buildOn(threads, dependencies);
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    logger.warn(`${error.message}: building on with one thread`);
  } finally {
    await threads?.close();
  }
  wrong ??= await buildAlone(dependencies);
  if (wrong === undefined) logger.info('the curve tree is built');
  return wrong;
}

async function startTreeThreads(blocks: number): Promise<TreeThreads | undefined> {
  const { processors } = machineLimits();
  if (processors === 1 || blocks < BLOCKS_FOR_THREADS) return undefined;
  const { TreeThreads: Threads } = await import('@monero-node/curve-tree/threads');
  return new Threads({ threads: processors });
}

/** Returns what tells the log of the progress, when there is enough of it. */
function progressOf({ store, tree, logger }: BuildDependencies): () => void {
  let logged = tree.blocks;
  return () => {
    if (tree.blocks < logged + LOG_EVERY) return;
    logged = tree.blocks;
    logger.info(`the curve tree has ${logged} of ${store.height} blocks`);
  };
}

async function buildOn(
  threads: TreeThreads,
  dependencies: BuildDependencies,
): Promise<number | undefined> {
  const { store, tree, limits, signal } = dependencies;
  const logProgress = progressOf(dependencies);
  const batches = new TreeBatches({ store, tree, threads, limits });
  for (;;) {
    signal?.throwIfAborted();
    const batch = await batches.next();
    if (batch === undefined) return undefined;
    const yielder = new Yielder();
    const view = tree.viewAt(batch.from);
    let wrong: number | undefined;
    for (const [i, { outputs, bottom }] of batch.blocks.entries()) {
      if (!isHeaderRight(store, view, batch.from + i)) {
        wrong = batch.from + i;
        break;
      }
      await view.growAbove(outputs, bottom, yielder);
    }
    await store.commit({ tree: tree.changeFrom(batch.from, view.blocks) });
    if (wrong !== undefined) return wrong;
    batches.stored(tree.blocks);
    logProgress();
  }
}

async function buildAlone(dependencies: BuildDependencies): Promise<number | undefined> {
  const { store, tree, signal } = dependencies;
  const logProgress = progressOf(dependencies);
  while (tree.blocks < store.height) {
    signal?.throwIfAborted();
    const wrong = await buildStep(store, tree);
    if (wrong !== undefined) return wrong;
    logProgress();
  }
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
    if (!isHeaderRight(store, view, height)) {
      wrong = height;
      break;
    }
    const meta = metaOf(store, height);
    await view.grow(meta.id, storedScheduledBlock(store, height), yielder);
    outputs += view.blocks.at(-1)?.addition.outputs ?? 0;
  }
  await store.commit({ tree: tree.changeFrom(base, view.blocks) });
  return wrong;
}

function metaOf(store: ChainReader, height: number) {
  const meta = store.blockMeta(height);
  if (meta === undefined) throw new StorageError('damaged', `block ${height} is missing`);
  return meta;
}

/** Whether a stored block, the next of a tree, commits to that or need not. */
function isHeaderRight(store: ChainReader, view: ViewTree, height: number): boolean {
  const rules = rulesFor(metaOf(store, height).majorVersion);
  if (!rules.curveTree) return true;
  try {
    view.checkHeader(headerTree(store, height), rules);
    return true;
  } catch (error) {
    if (error instanceof ConsensusError) return false;
    throw error;
  }
}

function headerTree(store: ChainReader, height: number) {
  const blob = store.blockBlob(height);
  if (blob === undefined) throw new StorageError('damaged', `block ${height} is missing`);
  return parseBlock(blob).block.tree;
}
