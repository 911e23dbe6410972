import { MachineError, type Logger, Yielder } from '@monero-node/base';
import { machineLimits } from '@monero-node/base/machine';
import { bytesEqual, parseBlock } from '@monero-node/codec';
import { ConsensusError, rulesFor } from '@monero-node/consensus';
import type { TreeThreads } from '@monero-node/curve-tree/threads';
import { type ChainReader, type ChainWriter, StorageError } from '@monero-node/storage/memory';
import type { ChainTree } from '../view/tree/chain-tree.ts';
import { storedScheduledBlock } from '../view/tree/stored-block.ts';
import type { ViewTree } from '../view/tree/view-tree.ts';
import { type BatchLimits, type TreeBatch, TreeBatches } from './tree-batches.ts';

/** Blocks, and outputs of them, whose part of the tree is written together on one thread: what a stop loses at the most. */
const STEP: BatchLimits = { blocks: 200, outputs: 1000 };

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
  /** Of a step: what a stop loses at the most. By default those of {@link TreeBatches} with threads, 200 blocks and 1000 outputs without. */
  readonly limits?: BatchLimits | undefined;
  /**
   * Runs a commit of the build while nothing else changes the chain. At once when absent: then nothing else may change it. A commit whose
   * blocks are no longer those of the chain writes nothing.
   */
  readonly whileStill?: ((commit: () => Promise<void>) => Promise<void>) | undefined;
  /** Called in such a commit, before the tree has all blocks of the chain. It must not throw. */
  readonly onWhole?: (() => void) | undefined;
}

/** What a step has grown. */
interface Step {
  readonly from: number;
  /** Ids of the blocks that were looked at, of 32 bytes each. */
  readonly ids: readonly Uint8Array[];
  readonly view: ViewTree;
  /** Height of the last of them, if it commits to another tree. */
  readonly wrong?: number | undefined;
}

/**
 * Grows the stored tree until it has all stored blocks: on the first start with a network that has a curve tree, after a stop meanwhile, and
 * beside a chain that changes, whose blocks are added without the tree until then: what a reorganization has taken back is grown anew.
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
    // A store that fails does so on one thread too.
    if (!(error instanceof MachineError) || error instanceof StorageError) throw error;
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
  let batches = new TreeBatches({ store, tree, threads, limits });
  for (;;) {
    signal?.throwIfAborted();
    const batch = await batches.next();
    if (batch === undefined) return undefined;
    const ids = batch.blocks.map(({ id }) => id);
    const grown = await grow(dependencies, batch.from, ids, (view) =>
      growBatch(store, view, batch),
    );
    if (grown !== undefined && (await commitStep(dependencies, grown))) {
      if (grown.wrong !== undefined) return grown.wrong;
      batches.stored(tree.blocks);
      logProgress();
    } else {
      // The chain has got other blocks: what was read ahead is of no use.
      batches = new TreeBatches({ store, tree, threads, limits });
    }
  }
}

/** Returns the height of a block that commits to another tree, if there is one. */
async function growBatch(
  store: ChainReader,
  view: ViewTree,
  { from, blocks }: TreeBatch,
): Promise<number | undefined> {
  const yielder = new Yielder();
  for (const [i, { outputs, bottom }] of blocks.entries()) {
    await settle(store, view, yielder);
    if (!isHeaderRight(store, view, from + i)) return from + i;
    await view.growAbove(outputs, bottom, yielder);
  }
  await settle(store, view, yielder);
  return undefined;
}

async function buildAlone(dependencies: BuildDependencies): Promise<number | undefined> {
  const { store, tree, signal, limits = STEP } = dependencies;
  const logProgress = progressOf(dependencies);
  while (tree.blocks < store.height) {
    signal?.throwIfAborted();
    const ids: Uint8Array[] = [];
    const grown = await grow(dependencies, tree.blocks, ids, (view) =>
      growSome(store, view, ids, limits),
    );
    if (grown === undefined || !(await commitStep(dependencies, grown))) continue;
    if (grown.wrong !== undefined) return grown.wrong;
    logProgress();
  }
  return undefined;
}

/** Adds some blocks, and their ids. Returns the height of one that commits to another tree, if there is one. */
async function growSome(
  store: ChainReader,
  view: ViewTree,
  ids: Uint8Array[],
  limits: BatchLimits,
): Promise<number | undefined> {
  const yielder = new Yielder();
  let outputs = 0;
  for (let height = view.height; ids.length < limits.blocks && outputs < limits.outputs; height++) {
    const id = store.blockMeta(height)?.id;
    if (id === undefined) break;
    ids.push(id);
    await settle(store, view, yielder);
    if (!isHeaderRight(store, view, height)) return height;
    await view.grow(id, storedScheduledBlock(store, height), yielder);
    outputs += view.blocks.at(-1)?.addition.outputs ?? 0;
  }
  await settle(store, view, yielder);
  return undefined;
}

/**
 * Grows a tree over the stored one. Returns undefined when the chain has got other blocks meanwhile than those of the ids: then an error
 * says nothing, as the stored tree may have been taken back.
 */
async function grow(
  dependencies: BuildDependencies,
  from: number,
  ids: readonly Uint8Array[],
  work: (view: ViewTree) => Promise<number | undefined>,
): Promise<Step | undefined> {
  if (!isCurrent(dependencies, from, ids)) return undefined;
  const view = dependencies.tree.viewAt(from);
  try {
    const wrong = await work(view);
    return { from, ids, view, wrong };
  } catch (error) {
    if (isCurrent(dependencies, from, ids)) throw error;
    return undefined;
  }
}

/** Returns whether the stored tree ends at a height, and the chain has these blocks from there on. */
function isCurrent(
  { store, tree }: BuildDependencies,
  from: number,
  ids: readonly Uint8Array[],
): boolean {
  if (tree.blocks !== from) return false;
  return ids.every((id, i) => {
    const stored = store.blockMeta(from + i)?.id;
    return stored !== undefined && bytesEqual(stored, id);
  });
}

/** Writes what a step has grown. Returns false when the chain has got other blocks meanwhile. */
async function commitStep(dependencies: BuildDependencies, step: Step): Promise<boolean> {
  const { store, tree, signal, onWhole, whileStill = (commit) => commit() } = dependencies;
  const { from, ids, view } = step;
  let isDone = false;
  await whileStill(async () => {
    signal?.throwIfAborted();
    if (!isCurrent(dependencies, from, ids)) return;
    if (from + view.blocks.length === store.height) onWhole?.();
    await store.commit({ tree: tree.changeFrom(from, view.blocks) });
    isDone = true;
  });
  return isDone;
}

function metaOf(store: ChainReader, height: number) {
  const meta = store.blockMeta(height);
  if (meta === undefined) throw new StorageError('damaged', `block ${height} is missing`);
  return meta;
}

/** Has what the newest block of a view has added computed once more where the next stored block commits to another tree. */
async function settle(store: ChainReader, view: ViewTree, yielder: Yielder): Promise<void> {
  const meta = store.blockMeta(view.height);
  if (meta === undefined) return;
  const rules = rulesFor(meta.majorVersion);
  if (rules.curveTree) await view.settle(headerTree(store, view.height), rules, yielder);
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
