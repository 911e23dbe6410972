import { FIRST_TREE_VERSION } from '@monero-node/codec';
import { earliestHeightOf, type Network } from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';
import { NO_TREE, type TreeRoots } from '../tree-roots.ts';
import type { ChainTree, GrowingOptions } from './chain-tree.ts';

/** A stored chain, and what its tree needs. */
export interface TreeOfChain {
  readonly network: Network;
  readonly store: ChainReader;
  /** `G + amount·H`, 32 bytes. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** Whether a tree is kept though the network has no version that commits to one; false when absent. */
  readonly asked?: boolean | undefined;
}

/** Returns whether blocks of a network commit to a tree, so that no block is to be added while the tree lacks some. */
export function needsTree(network: Network): boolean {
  return earliestHeightOf(network, FIRST_TREE_VERSION) !== undefined;
}

/**
 * Returns whether a chain keeps a curve tree: where its network has a version that commits to one, where it is asked for, and where there is one already, which
 * would not fit the blocks later.
 */
function keepsTree({ network, store, asked = false }: TreeOfChain): boolean {
  return asked || needsTree(network) || store.tree.indexes() > 0;
}

/**
 * Resolves with the curve tree of a chain; undefined where it keeps none, and then the code of the curves is not loaded.
 */
export async function loadChainTree(
  chain: TreeOfChain,
  options: GrowingOptions = {},
): Promise<ChainTree | undefined> {
  if (!keepsTree(chain)) return undefined;
  const { ChainTree: Tree } = await import('./chain-tree.ts');
  return Tree.growing(chain.store, chain.commitToAmount, options);
}

/** Resolves with the roots of a stored chain that others write: {@link NO_TREE} where it keeps no curve tree. */
export async function loadTreeRoots(chain: TreeOfChain): Promise<TreeRoots> {
  if (!keepsTree(chain)) return NO_TREE;
  const { ChainTree: Tree } = await import('./chain-tree.ts');
  return new Tree(chain.store, chain.commitToAmount);
}
