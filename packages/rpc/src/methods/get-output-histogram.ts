import type { HandlerOf } from '../method.ts';
import { type AmountCount, outputHistogram } from '../outputs/output-histogram.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_RECENT_CUTOFF } from '../limits.ts';

/**
 * Returns the number of outputs by amount in atomic units. Throws RpcStatus on a restricted listener for requests
 * without amounts or with an old cutoff.
 */
export const getOutputHistogram: HandlerOf<'getOutputHistogram'> = (request, context) => {
  const { chain, restricted, now } = context;
  const { recent_cutoff: cutoff } = request;
  if (restricted && request.amounts.length === 0) {
    throw new RpcStatus(
      'Restricted RPC will not serve histograms on the whole blockchain. Use your own node.',
    );
  }
  if (restricted && cutoff > 0n && cutoff < BigInt(now() - MAX_RESTRICTED_RECENT_CUTOFF)) {
    throw new RpcStatus('Recent cutoff is too old');
  }
  return { histogram: entries(outputHistogram(chain, request, context)) };
};

async function* entries(counts: AsyncIterable<AmountCount>) {
  for await (const { amount, total, unlocked, recent } of counts) {
    yield {
      amount,
      recent_instances: recent,
      total_instances: total,
      unlocked_instances: unlocked,
    };
  }
}
