import type { CurveTreeRoot } from '@monero-node/codec';
import { NO_CHILD } from '@monero-node/fcmp';
import type { TreeReader, TreeState } from '@monero-node/storage/memory';
import { COMMITTED_AHEAD, TREE_AHEAD } from '@monero-node/consensus';

/** Returns the root of an edge, a copy: the last node of the highest layer, 32 zeros without leaves. */
export function rootOf(edge: TreeState['edge']): CurveTreeRoot {
  return { layers: edge.length, root: new Uint8Array(edge.at(-1) ?? NO_CHILD) };
}

/** The roots of a tree that was grown by blocks. */
export class TreeRootReader {
  readonly #tree: TreeReader;

  constructor(tree: TreeReader) {
    this.#tree = tree;
  }

  /** How many blocks it was grown by. */
  get blocks(): number {
    return Math.max(0, this.#tree.indexes() - TREE_AHEAD);
  }

  /** Returns the root of an index, a copy, which a proof with this reference block is verified against. Throws RangeError if there is none. */
  rootAt(index: number): CurveTreeRoot {
    return rootOf(this.#tree.state(index).edge);
  }

  /**
   * Returns the root that the header of a block commits to, that of index height + 8. Its own outputs are not in it, so the tree
   * has it before the block is added. Throws RangeError for genesis, and if a block below is missing.
   */
  rootOfHeader(height: number): CurveTreeRoot {
    if (height < 1 || height > this.blocks) throw new RangeError(`no root for block ${height}`);
    return this.rootAt(height + COMMITTED_AHEAD);
  }
}
