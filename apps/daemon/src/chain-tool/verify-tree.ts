import { verifyTree, type TreeFault } from '@monero-node/blockchain';
import type { Network } from '@monero-node/consensus';
import type { Finding, StoreCheck } from '@monero-node/storage';

/** How the curve tree of a store is checked. */
export interface VerifyTreeTask {
  readonly network: Network;
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Compares every row of the curve tree with the blocks; none where the store has no tree. Yields findings as they come.
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

function findingOf({ table, index, height, problem }: TreeFault): Finding {
  return { table, key: index, height, problem };
}
