import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** Without `check` the chain is pruned, for good, even when it is short. */
export const pruneBlockchain = defineMethod({
  names: ['prune_blockchain'],
  summary: 'Prunes the chain for good, or checks that a pruned one holds what it should.',
  restricted: 'hidden',
  base: 'basic',
  request: { check: f.bool() },
  response: { pruned: f.bool(), pruning_seed: f.u32() },
  handler: async ({ check }, { chain }) => {
    if (check) {
      const good = await chain.checkPruning();
      if (!good) throw new RpcError(RPC_ERROR.internal, 'Failed to check blockchain pruning');
    } else {
      await chain.prune();
    }
    const seed = chain.pruningSeed;
    return { pruned: seed !== 0, pruning_seed: seed };
  },
});
