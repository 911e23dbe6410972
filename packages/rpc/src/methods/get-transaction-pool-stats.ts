import type { HandlerOf } from '../method.ts';
import { poolStats } from '@monero-node/mempool';
import { visiblePool } from '../transactions/visible-pool.ts';

/** Returns figures on the pool transactions that the caller may see: weights, ages in seconds, fees in atomic units. */
export const getTransactionPoolStats: HandlerOf<'getTransactionPoolStats'> = async (
  _request,
  context,
) => {
  const stats = await poolStats(visiblePool(context), context.now(), context.yielder);
  return {
    pool_stats: {
      bytes_max: stats.weightMax,
      bytes_med: stats.weightMedian,
      bytes_min: stats.weightMin,
      bytes_total: stats.weightTotal,
      fee_total: stats.feeTotal,
      histo: stats.histogram.map(({ weight, count }) => ({ bytes: weight, txs: count })),
      histo_98pc: stats.age98,
      num_10m: stats.olderThanTenMinutes,
      num_double_spends: stats.doubleSpends,
      num_failing: stats.failing,
      num_not_relayed: stats.notRelayed,
      oldest: stats.oldest,
      txs_total: stats.count,
    },
  };
};
