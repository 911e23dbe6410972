import { inSlices, Yielder } from '@monero-node/base';
import { bytesEqual, parseBlock } from '@monero-node/codec';
import {
  ConsensusError,
  rulesFor,
  TREE_AHEAD,
  versionAtHeight,
  type Network,
} from '@monero-node/consensus';
import {
  areSameOutputs,
  createTreeHasher,
  CurveTree,
  growthSteps,
  isSameState,
  MONERO_SHAPE,
  NewestIndex,
  nodesOf,
  scheduleSteps,
  type TreeHasher,
} from '@monero-node/curve-tree';
import { StorageError, type TreeReader, type TreeStep } from '@monero-node/storage/memory';
import { decoded } from '../view/stored-transaction.ts';
import { storedScheduledBlock, type StoredTransactions } from '../view/tree/stored-block.ts';

/** Rows of the curve tree that are not what the blocks make of it. */
export interface TreeFault {
  readonly height: number;
  /** Name of the table, see `tables.ts` of storage. */
  readonly table: 'tree_index' | 'tree_leaf' | 'tree_skipped' | 'tree_node' | 'tree_locked';
  /** Of the tree. */
  readonly index: string;
  /** Words that follow the name of the row. */
  readonly problem: string;
}

/** The blocks of a store at rest, and its tree. */
export interface TreeSource extends StoredTransactions {
  /** Number of blocks. */
  readonly height: number;
  readonly tree: TreeReader;
  blockBlob(height: number): Uint8Array | undefined;
}

export interface VerifyTreeOptions {
  readonly network: Network;
  readonly source: TreeSource;
  /** `G + amount·H`, 32 bytes. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
}

/** Numbers of rows that the tables of a tree must have. */
export interface TreeRowCounts {
  readonly tree_count: number;
  readonly tree_index: number;
  readonly tree_leaf: number;
  readonly tree_node: number;
  readonly tree_locked: number;
  readonly tree_skipped: number;
}

/** Of a tree that is being built, the blocks that it has. See `verifyTree`, which checks the options and loads this module with the code of the curves. */
export async function* treeFaults(
  options: VerifyTreeOptions,
): AsyncGenerator<readonly TreeFault[], TreeRowCounts | undefined> {
  const { source } = options;
  const newest = new NewestIndex();
  const tree = new CurveTree(newest);
  const hasher = createTreeHasher();
  const yielder = new Yielder();
  let skipped = 0;
  const height = Math.min(source.height, Math.max(0, source.tree.indexes() - TREE_AHEAD));
  for (let at = 0; at < height; at++) {
    const faults: TreeFault[] = [];
    try {
      faults.push(...headerFaults(options, tree, at));
      await growBy(options, { tree, hasher }, at, yielder);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      yield [faultOf('tree_index', at, `cannot be checked: ${error.message}`)];
      return undefined;
    }
    const step = newest.step as TreeStep;
    skipped += step.skipped.length > 0 ? 1 : 0;
    faults.push(...stepFaults(source.tree, step, at, at === height - 1));
    yield faults;
  }
  yield waitingFaults({ tree: source.tree, height }, newest);
  return countsOf(newest, skipped);
}

async function growBy(
  { source, commitToAmount }: VerifyTreeOptions,
  { tree, hasher }: { readonly tree: CurveTree; readonly hasher: TreeHasher },
  height: number,
  yielder: Yielder,
): Promise<void> {
  const block = storedScheduledBlock(source, height);
  const outputs = await inSlices(scheduleSteps(block, { commitToAmount }), yielder);
  const addition = await inSlices(tree.prepareSteps(outputs), yielder);
  const { before, entering } = addition;
  const steps = growthSteps(hasher, MONERO_SHAPE, before, entering);
  await inSlices(tree.addSteps(addition, await inSlices(steps, yielder)), yielder);
}

/** Compares the root in the header of a block with that of the tree below it. */
function headerFaults(
  { network, source }: VerifyTreeOptions,
  tree: CurveTree,
  height: number,
): TreeFault[] {
  const rules = rulesFor(versionAtHeight(network, height));
  if (!rules.curveTree) return [];
  const blob = source.blockBlob(height);
  const block = blob && decoded(() => parseBlock(blob));
  try {
    tree.checkHeader(height, block?.block.tree, rules);
    return [];
  } catch (error) {
    if (!(error instanceof ConsensusError)) throw error;
    return [faultOf('tree_index', height - 1, `has not the root of the next block's header`)];
  }
}

/** Compares what a block adds with the stored rows. Nodes that blocks above change are compared there. */
function stepFaults(
  stored: TreeReader,
  { state, leaves, skipped, nodes }: TreeStep,
  height: number,
  isNewest: boolean,
): TreeFault[] {
  const index = height + TREE_AHEAD;
  const counts = nodesOf(MONERO_SHAPE, state.leaves);
  const isFinal = (layer: number, place: number) => isNewest || place < (counts[layer] ?? 0) - 1;
  const areNodesSame = () =>
    nodes.every(({ layer, from, nodes: run }) =>
      run.every((node, i) => {
        const place = from + i;
        return !isFinal(layer, place) || bytesEqual(stored.node(layer, place), node);
      }),
    );
  const first = state.leaves - leaves.length;
  const checks = [
    ['tree_index', () => isSameState(stored.state(index), state)],
    ['tree_leaf', () => areSameOutputs(stored.leaves(first, state.leaves), leaves)],
    ['tree_skipped', () => areSameOutputs(stored.skipped(index), skipped)],
    ['tree_node', areNodesSame],
  ] as const;
  return checks.flatMap(([table, isSame]) =>
    isReadable(isSame) ? [] : [faultOf(table, height, 'is not what the blocks make of it')],
  );
}

/** Returns false also for rows that are missing or make no sense. */
function isReadable(isSame: () => boolean): boolean {
  try {
    return isSame();
  } catch (error) {
    if (error instanceof RangeError || error instanceof StorageError) return false;
    throw error;
  }
}

/** Compares the outputs that wait for indexes above the chain. */
function waitingFaults(
  { tree, height }: Pick<TreeSource, 'tree' | 'height'>,
  newest: NewestIndex,
): TreeFault[] {
  return newest.waitedFor.flatMap((index) => {
    const isSame = () => areSameOutputs(tree.locked(index), newest.locked(index));
    const problem = 'has other outputs than the blocks';
    const fault = {
      table: 'tree_locked',
      height: height - 1,
      index: String(index),
      problem,
    } as const;
    return isReadable(isSame) ? [] : [fault];
  });
}

function faultOf(table: TreeFault['table'], height: number, problem: string): TreeFault {
  return { height, table, index: String(height + TREE_AHEAD), problem };
}

function countsOf(newest: NewestIndex, skipped: number): TreeRowCounts {
  const indexes = newest.indexes();
  const leaves = indexes === 0 ? 0 : newest.state(indexes - 1).leaves;
  const { waitedFor } = newest;
  return {
    tree_count: (indexes === 0 ? 0 : 1) + waitedFor.length,
    tree_index: indexes,
    tree_leaf: leaves,
    tree_node: nodesOf(MONERO_SHAPE, leaves).reduce((sum, count) => sum + count, 0),
    tree_locked: waitedFor.reduce((sum, index) => sum + newest.locked(index).length, 0),
    tree_skipped: skipped,
  };
}
