import {
  TREE_ROWS_PER_STEP,
  type TreeOutput,
  type TreeReader,
  type TreeState,
} from '@monero-node/storage/memory';
import { isSameState } from './comparisons.ts';

/**
 * Reads in steps all outputs that have entered at an index, those without a leaf too, in the order of their unified ids. Throws RangeError for
 * an index that the tree does not have, or no longer has.
 */
export function* enteredSteps(tree: TreeReader, index: number): Generator<undefined, TreeOutput[]> {
  const to = tree.state(index).leaves;
  const outputs: TreeOutput[] = [];
  for (let at = leavesBelow(tree, index); at < to; at += TREE_ROWS_PER_STEP) {
    for (const leaf of tree.leaves(at, Math.min(at + TREE_ROWS_PER_STEP, to))) outputs.push(leaf);
    yield;
  }
  const skipped = yield* tree.skippedSteps(index);
  if (skipped.length === 0) return outputs;
  for (const output of skipped) outputs.push(output);
  return outputs.sort((a, b) => a.unifiedId - b.unifiedId);
}

/**
 * Reads in steps the outputs that wait for an index, or have entered there, in the order of their unified ids. Others may change the tree
 * meanwhile: then it begins anew where the index has entered or was taken back, so that outputs of blocks that stay are complete.
 */
export function* outputsOfIndex(
  tree: TreeReader,
  index: bigint,
): Generator<undefined, readonly TreeOutput[]> {
  for (;;) {
    const before = statesOf(tree, index);
    let outputs: readonly TreeOutput[] | undefined;
    try {
      outputs = yield* before === undefined
        ? tree.lockedSteps(index)
        : enteredSteps(tree, Number(index));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The tree lost the index between two steps, or is damaged.
      if (isSameStates(before, statesOf(tree, index))) throw error;
    }
    if (outputs !== undefined && isSameStates(before, statesOf(tree, index))) return outputs;
    yield;
  }
}

/** Returns what tells the outputs of an index from those of another chain: its state, and the leaves below. Undefined where the index has no state. */
function statesOf(tree: TreeReader, index: bigint): IndexStates | undefined {
  if (index >= BigInt(tree.indexes())) return undefined;
  const at = Number(index);
  return { below: leavesBelow(tree, at), state: tree.state(at) };
}

interface IndexStates {
  readonly below: number;
  readonly state: TreeState;
}

function isSameStates(a: IndexStates | undefined, b: IndexStates | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.below === b.below && isSameState(a.state, b.state);
}

function leavesBelow(tree: TreeReader, index: number): number {
  return index === 0 ? 0 : tree.state(index - 1).leaves;
}
