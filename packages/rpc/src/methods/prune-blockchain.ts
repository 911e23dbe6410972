import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** This node keeps everything: a check says so, and pruning is refused as monerod refuses what it can't do. */
export const pruneBlockchain = defineMethod({
  names: ['prune_blockchain'],
  summary: 'Tells whether the chain is pruned; pruning is refused.',
  restricted: 'hidden',
  base: 'basic',
  request: { check: f.bool() },
  response: { pruned: f.bool(), pruning_seed: f.u32() },
  handler: ({ check }) => {
    if (!check) throw new RpcError(RPC_ERROR.internal, 'Failed to prune blockchain');
    return { pruned: false, pruning_seed: 0 };
  },
});
