import { poolStats } from '@monero-node/mempool';
import { visiblePool } from '../chain/visible-pool.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

const BIN = defineTable({ bytes: f.u64(), txs: f.u32() });

/** All "bytes" are weights. */
const STATS = defineTable({
  bytes_max: f.u32(),
  bytes_med: f.u32(),
  bytes_min: f.u32(),
  bytes_total: f.u64(),
  fee_total: f.u64(),
  histo: f.objects(BIN),
  histo_98pc: f.u64(),
  num_10m: f.u32(),
  num_double_spends: f.u32(),
  num_failing: f.u32(),
  num_not_relayed: f.u32(),
  oldest: f.u64(),
  txs_total: f.u32(),
});

export const getTransactionPoolStats = defineMethod({
  paths: ['/get_transaction_pool_stats'],
  summary: 'Sums up the pool.',
  restricted: 'served',
  base: 'access',
  request: {},
  response: { pool_stats: f.object(STATS) },
  handler: (_request, context) => {
    const stats = poolStats(visiblePool(context), context.now());
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
  },
});
