import type { CurveTreeRoot } from '@monero-node/codec';
import { COMMITTED_AHEAD } from '@monero-node/consensus';
import type { ViewTree } from './tree/view-tree.ts';
import type { HeaderChain } from './header-chain.ts';
import { NO_TREE, type TreeRoots } from './tree-roots.ts';

/** The parts of a chain view that are asked for a tree. */
export interface ViewOfTrees {
  readonly headers: Pick<HeaderChain, 'baseHeight' | 'idAt'>;
  readonly tree?: Pick<ViewTree, 'rootAt'> | undefined;
}

/**
 * Returns the tree of a reference block of a view: of a stored one that of the stored chain; of one on top that of the view, or where the view
 * has none, the one to which the block eight below is to commit. Returns undefined where no tree is known.
 */
export function rootOfReference(
  view: ViewOfTrees,
  treeRoots: TreeRoots,
  referenceBlock: number,
): CurveTreeRoot | undefined {
  // It tells of an empty tree, as nothing looks at what its blocks commit to.
  if (treeRoots === NO_TREE) return undefined;
  const { headers } = view;
  if (referenceBlock < headers.baseHeight) return treeRoots.rootAtHeight(referenceBlock);
  if (view.tree !== undefined) return view.tree.rootAt(referenceBlock);
  const height = referenceBlock - COMMITTED_AHEAD;
  const prevId = headers.idAt(height - 1);
  return prevId && treeRoots.treeAt({ height, prevId });
}
