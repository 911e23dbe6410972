import { verifyTree, type TreeFault } from '@monero-node/blockchain';
import { TREE_AHEAD, type Network } from '@monero-node/consensus';
import type { Finding, StoreCheck } from '@monero-node/storage';

/** How the curve tree of a store is checked. */
export interface VerifyTreeTask {
  readonly network: Network;
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Compares every row of the curve tree with the blocks that it has; none where the store has no tree. Yields findings as they come.
 *
 * Throws the reason of the signal.
 */
export async function* treeFindings(
  check: StoreCheck,
  { network, commitToAmount, signal }: VerifyTreeTask,
): AsyncGenerator<readonly Finding[]> {
  if (check.tree.indexes() === 0) return;
  const source = {
    height: check.height,
    tree: check.tree,
    blockBlob: (height: number) => check.read(height).content?.blob,
    blockTxs: (height: number) => check.read(height).content?.txs ?? [],
  };
  const blocks = verifyTree({ network, source, commitToAmount });
  for (;;) {
    signal.throwIfAborted();
    const step = await blocks.next();
    if (step.done === true) {
      yield step.value === undefined ? [] : check.checkTreeCounts(step.value);
      return;
    }
    yield step.value.map(findingOf);
  }
}

/** Returns a sentence about a tree whose build was stopped, which is no fault; undefined for a whole tree and for a store that has none. */
export function unfinishedTree({
  tree,
  height,
}: {
  readonly tree: Pick<StoreCheck['tree'], 'indexes'>;
  readonly height: number;
}): string | undefined {
  const indexes = tree.indexes();
  const blocks = Math.max(0, indexes - TREE_AHEAD);
  if (indexes === 0 || blocks >= height) return undefined;
  return `the curve tree has ${blocks} of ${height} blocks: the next start builds it on`;
}

function findingOf({ table, index, height, problem }: TreeFault): Finding {
  return { table, key: index, height, problem };
}
