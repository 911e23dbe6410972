import { poolHistogram, poolStats } from '../chain/pool-stats.ts';
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
    const transactions = visiblePool(context);
    const now = context.now();
    const { age98, bins } = poolHistogram(transactions, now);
    return { pool_stats: { ...poolStats(transactions, now), histo: bins, histo_98pc: age98 } };
  },
});
