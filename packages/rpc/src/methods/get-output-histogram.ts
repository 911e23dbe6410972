import { SPENDABLE_AGE } from '@monero-node/consensus';
import type { RpcChain } from '../context.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_RECENT_CUTOFF } from '../limits.ts';
import { defineMethod } from '../method.ts';
import type { Turn } from '../turns.ts';
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
    const { recent_cutoff: cutoff, min_count: min, max_count: max } = request;
    if (restricted && request.amounts.length === 0) {
      throw new RpcStatus(
        'Restricted RPC will not serve histograms on the whole blockchain. Use your own node.',
      );
    }
    if (restricted && cutoff > 0n && cutoff < BigInt(now() - MAX_RESTRICTED_RECENT_CUTOFF)) {
      throw new RpcStatus('Recent cutoff is too old');
    }
    const histogram = [];
    for (const { amount, count } of countsOf(chain, request.amounts)) {
      await turn.rest();
      if (BigInt(count) < min || (max !== 0n && BigInt(count) > max)) continue;
      const detailed = request.unlocked || cutoff > 0n;
      const unlocked = detailed ? unlockedCount(chain, amount) : 0;
      histogram.push({
        amount,
        recent_instances: cutoff > 0n ? await recentCount(chain, amount, cutoff, turn) : 0,
        total_instances: count,
        unlocked_instances: unlocked,
      });
    }
    return { histogram };
  },
});

/** The amounts asked for, each once and ascending, or all that exist. */
function* countsOf(
  chain: RpcChain,
  amounts: readonly bigint[],
): Iterable<{ amount: bigint; count: number }> {
  if (amounts.length === 0) {
    yield* [...chain.store.amounts()];
    return;
  }
  for (const amount of [...new Set(amounts)].sort((a, b) => (a < b ? -1 : 1))) {
    yield { amount, count: chain.store.outputCount(amount) };
  }
}

/** Outputs old enough to be ring members; longer locks are not looked at. */
function unlockedCount(chain: RpcChain, amount: bigint): number {
  return chain.store.outputCount(amount, Math.max(0, chain.height - SPENDABLE_AGE + 1));
}

/** Unlocked outputs from the newest down to the first block older than `cutoff` (Unix seconds). */
async function recentCount(
  chain: RpcChain,
  amount: bigint,
  cutoff: bigint,
  turn: Turn,
): Promise<number> {
  const unlocked = unlockedCount(chain, amount);
  let older = unlocked;
  while (older > 0) {
    await turn.rest();
    const height = chain.store.output(amount, older - 1)?.height;
    const timestamp = height === undefined ? undefined : chain.store.blockMeta(height)?.timestamp;
    if (height === undefined || timestamp === undefined || BigInt(timestamp) < cutoff) break;
    older = chain.store.outputCount(amount, height);
  }
  return unlocked - older;
}
