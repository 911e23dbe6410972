import type { CurveTreeRoot } from '@monero-node/codec';
import { rulesFor } from '@monero-node/consensus';
import type { TreeOutputs } from './tree-outputs.ts';

/** The place of a block that is to be made. */
export interface TreePlace {
  readonly height: number;
  /** Id of the block below, 32 bytes. */
  readonly prevId: Uint8Array;
}

/** Tells which curve tree a block commits to. */
export interface TreeRoots {
  /** Returns the tree that the block at a place commits to; undefined when it is not known, as that of a side chain, or of a tree that is being built, may be. */
  treeAt(place: TreePlace): CurveTreeRoot | undefined;
  /**
   * Returns the tree of a reference block of the main chain, which proofs that name it are made against: that of tree index `height`. Not
   * the tree of its header, which has index `height` + 8. Undefined for genesis, and for a block that the chain, or a tree that is being built, does not have.
   */
  rootAtHeight(height: number): CurveTreeRoot | undefined;
  /** Finds outputs in the tree, for wallets; absent where the chain keeps none. */
  readonly outputs?: TreeOutputs;
}

/** The tree without outputs: 0 layers, and a root of zeros, as upstream's blocks have while no output is old enough to be in the tree. */
export const EMPTY_TREE: CurveTreeRoot = { layers: 0, root: new Uint8Array(32) };

/** Stands for a tree on chains that keep none. Every block commits to {@link EMPTY_TREE}, and there is no reference block. */
export const NO_TREE: TreeRoots = {
  treeAt: () => EMPTY_TREE,
  rootAtHeight: () => undefined,
};

/**
 * Returns what a block has as its tree: nothing below version 17. Returns undefined when the tree is not known.
 *
 * @param majorVersion of the block
 */
export function treeFieldAt(
  trees: TreeRoots,
  majorVersion: number,
  place: TreePlace,
): { readonly tree: CurveTreeRoot | undefined } | undefined {
  if (!rulesFor(majorVersion).curveTree) return { tree: undefined };
  const tree = trees.treeAt(place);
  return tree && { tree };
}
