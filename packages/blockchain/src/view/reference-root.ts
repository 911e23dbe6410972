import { type CurveTreeRoot, parseBlock } from '@monero-node/codec';
import { formatsOf, SPENDABLE_AGE, type Network } from '@monero-node/consensus';
import type { BlockMeta, BlockRecord } from '@monero-node/storage';
import type { HeaderChain } from './header-chain.ts';
import { NO_TREE, type TreeRoots } from './tree-roots.ts';

/**
 * Blocks between the one that commits to a tree and the reference block by which proofs name that tree: a header at height h has the root of
 * tree index h + 8. Source: Blockchain::get_fcmp_tx_tree_root in src/cryptonote_core/blockchain.cpp.
 */
const COMMITTED_AHEAD = SPENDABLE_AGE - 2;

/** The parts of a chain view that are asked for a tree. */
export interface ViewOfTrees {
  readonly network: Network;
  readonly headers: HeaderChain<BlockMeta>;
  /** Blocks that are not stored yet. */
  readonly records: readonly BlockRecord[];
}

/**
 * Returns the tree of a reference block of a view, which proofs that name it are made against. For a block that is not stored yet, that is
 * the tree to which a block eight blocks below commits: whether it does so rightly is a rule of that block. Returns undefined where no tree
 * is known, as on chains that keep none.
 */
export function rootOfReference(
  { network, headers, records }: ViewOfTrees,
  treeRoots: TreeRoots,
  referenceBlock: number,
): CurveTreeRoot | undefined {
  // Without a tree it is not checked what headers commit to.
  if (treeRoots === NO_TREE) return undefined;
  const { baseHeight } = headers;
  if (referenceBlock < baseHeight) return treeRoots.rootAtHeight(referenceBlock);
  const height = referenceBlock - COMMITTED_AHEAD;
  const record = records[height - baseHeight];
  if (record !== undefined) return parseBlock(record.blob, formatsOf(network)).block.tree;
  const prevId = headers.idAt(height - 1);
  return prevId && treeRoots.treeAt({ height, prevId });
}
