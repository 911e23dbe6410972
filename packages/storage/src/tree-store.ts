// What a store keeps of the curve tree (see @monero-node/curve-tree, which grows it). A call reads a few rows. What reads or writes as many as
// enter at one index does so in steps, as anybody may lock any number of outputs to one: the change is made when the last step is done. A
// store knows nothing of curves.

/** Outputs or rows that are read, compared or written in one step: one or two milliseconds. */
export const TREE_ROWS_PER_STEP = 256;

/** An output that is in the tree or waits for it. */
export interface TreeOutput {
  /** Its number among all outputs of the chain, whatever their amounts, from 0 on: the miner's first, in the order of a block. Below 2^40. */
  readonly unifiedId: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 32 bytes. Of a coinbase output and of amounts before RingCT: G + amount·H. */
  readonly commitment: Uint8Array;
  readonly kind: 'legacy' | 'carrot';
}

/** The tree of one index. */
export interface TreeState {
  readonly leaves: number;
  /** Outputs of the blocks up to index - 9, with those that are not in the tree yet or never will be. */
  readonly outputs: number;
  /** The last node of each layer, 32 bytes, that above the leaves first and the root last. Empty without leaves. */
  readonly edge: readonly Uint8Array[];
}

/** Nodes of a layer, side by side. */
export interface NodeRun {
  /** 0 is the layer above the leaves. */
  readonly layer: number;
  /** The place of the first in its layer. */
  readonly from: number;
  /** 32 bytes each. */
  readonly nodes: readonly Uint8Array[];
}

/** What one index adds. */
export interface TreeStep {
  readonly state: TreeState;
  /** In the order of their unified ids. */
  readonly leaves: readonly TreeOutput[];
  /** Outputs of this index that have no leaf, as their points are none, in the order of their unified ids. */
  readonly skipped: readonly TreeOutput[];
  /** New nodes and those that change; at most one run for a layer. */
  readonly nodes: readonly NodeRun[];
}

/** What is left when the newest index is taken away. */
export interface TreeCut {
  readonly leaves: number;
  /** Nodes of each layer. The last one of each becomes that of `edge` again. */
  readonly nodes: readonly number[];
  readonly edge: readonly Uint8Array[];
}

/** Reads a tree. Every method throws RangeError for what is not there. */
export interface TreeReader {
  /** Indexes that have a state, 0 up to this one: none, or nine more than blocks. */
  indexes(): number;
  state(index: number): TreeState;
  /** Leaves from one place up to another, exclusive. */
  leaves(from: number, to: number): readonly TreeOutput[];
  node(layer: number, place: number): Uint8Array;
  /**
   * Reads the outputs that enter at an index that has no state yet, in the order of their unified ids; none for one that has. Where the tree
   * changes between two steps, what waits no more may be missing.
   */
  lockedSteps(index: bigint): Generator<undefined, readonly TreeOutput[]>;
  /** Reads the outputs of an index that have no leaf. */
  skippedSteps(index: number): Generator<undefined, readonly TreeOutput[]>;
  /** Does what `lockedSteps` does at once: where few wait, and for tools. */
  locked(index: bigint): readonly TreeOutput[];
  /** Does what `skippedSteps` does at once. */
  skipped(index: number): readonly TreeOutput[];
}

/** Reads the tree of a store, which can say for which indexes outputs wait. */
export interface StoredTreeReader extends TreeReader {
  /** Returns the lowest indexes, `from` and above, that have no state yet and for which outputs wait; at most `limit` of them, ascending. */
  waitingIndexes(from: bigint, limit: number): readonly bigint[];
}

/** Reads and writes a tree. Every method works in steps, and is to be run to its end before another one. */
export interface TreeStore extends TreeReader {
  /** Adds outputs in the order of their unified ids, which are higher than those of outputs that wait for the index already. */
  lockSteps(index: bigint, outputs: readonly TreeOutput[]): Generator<undefined, void>;
  /** Removes the outputs that wait for an index and have this unified id or a higher one. */
  unlockSteps(index: bigint, fromUnifiedId: number): Generator<undefined, void>;
  /** Adds the next index. */
  pushSteps(step: TreeStep): Generator<undefined, void>;
  /** Takes away the newest index, with its leaves, nodes and skipped outputs. */
  popSteps(cut: TreeCut): Generator<undefined, void>;
}
