import { outputHistogram } from '../chain/output-histogram.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_RECENT_CUTOFF } from '../limits.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

const ENTRY = defineTable({
  amount: f.u64(),
  recent_instances: f.u64(),
  total_instances: f.u64(),
  unlocked_instances: f.u64(),
});

export const getOutputHistogram = defineMethod({
  names: ['get_output_histogram'],
  summary: 'Counts outputs by amount.',
  restricted: 'served',
  base: 'access',
  request: {
    amounts: f.u64s(),
    max_count: f.u64(),
    min_count: f.u64(),
    recent_cutoff: f.u64(),
    unlocked: f.bool(),
  },
  response: { histogram: f.objects(ENTRY) },
  handler: async (request, { chain, restricted, now, turn }) => {
    const { recent_cutoff: cutoff } = request;
    if (restricted && request.amounts.length === 0) {
      throw new RpcStatus(
        'Restricted RPC will not serve histograms on the whole blockchain. Use your own node.',
      );
    }
    if (restricted && cutoff > 0n && cutoff < BigInt(now() - MAX_RESTRICTED_RECENT_CUTOFF)) {
      throw new RpcStatus('Recent cutoff is too old');
    }
    const counts = await outputHistogram(chain, request, turn);
    return {
      histogram: counts.map(({ amount, total, unlocked, recent }) => ({
        amount,
        recent_instances: recent,
        total_instances: total,
        unlocked_instances: unlocked,
      })),
    };
  },
});
