import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { JsonRpcError } from '../errors.ts';

/**
 * Prunes the chain irreversibly, however short; with `check` it only checks the pruning. Throws JsonRpcError when the
 * check fails.
 */
export const pruneBlockchain: HandlerOf<'pruneBlockchain'> = async ({ check }, { chain }) => {
  if (check) {
    const good = await chain.checkPruning();
    if (!good) throw new JsonRpcError(RPC_ERROR.internal, 'Failed to check blockchain pruning');
  } else {
    await chain.prune();
  }
  const seed = chain.pruningSeed;
  return { pruned: seed !== 0, pruning_seed: seed };
};
