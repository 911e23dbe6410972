import type { PoolTransaction } from '../pool.ts';

const TEN_MINUTES = 600;

/** The plain sums of `pool_stats`. `now` in Unix seconds. */
export function poolStats(transactions: readonly PoolTransaction[], now: number) {
  const weights = transactions.map((tx) => tx.weight).sort((a, b) => a - b);
  const count = (test: (tx: PoolTransaction) => boolean): number =>
    transactions.filter(test).length;
  return {
    bytes_max: weights.at(-1) ?? 0,
    bytes_med: medianOf(weights),
    bytes_min: weights[0] ?? 0,
    bytes_total: weights.reduce((sum, weight) => sum + weight, 0),
    fee_total: transactions.reduce((sum, tx) => sum + tx.fee, 0n),
    num_10m: count((tx) => tx.receiveTime < now - TEN_MINUTES),
    num_double_spends: count((tx) => tx.doubleSpendSeen),
    num_failing: count((tx) => tx.lastFailedHeight > 0),
    num_not_relayed: count((tx) => !tx.relayed),
    oldest: oldestTime(transactions),
    txs_total: transactions.length,
  };
}

export interface Bin {
  bytes: number;
  txs: number;
}

/**
 * Weights over age (rpc.md section 4, `txpool_stats`). From 50 transactions on, the youngest 98 % are spread over nine bins and
 * the rest falls into a tenth; fewer are spread over the whole age.
 * Source: get_transaction_stats in src/cryptonote_core/tx_pool.cpp.
 */
export function poolHistogram(
  transactions: readonly PoolTransaction[],
  now: number,
): { age98: number; bins: Bin[] } {
  const total = transactions.length;
  if (total <= 1) return { age98: 0, bins: [] };
  const aged = transactions
    .map((tx) => ({ age: Math.max(1, now - tx.receiveTime), weight: tx.weight }))
    .sort((a, b) => a.age - b.age);
  const tail = Math.floor(total * 0.02);
  // Whole groups of one age go to the tail.
  const age98 = tail > 0 ? (aged[total - tail]?.age ?? 0) : 0;
  const spread = tail > 0 ? 9 : Math.min(total, 10);
  const oldest = oldestTime(transactions);
  const span = Math.max(1, tail > 0 ? age98 : now - oldest);
  const bins = Array.from({ length: tail > 0 ? 10 : spread }, () => ({ bytes: 0, txs: 0 }));
  for (const { age, weight } of aged) {
    const inTail = tail > 0 && age >= age98;
    const bin = bins[inTail ? 9 : Math.min(spread - 1, Math.floor((age * spread - 1) / span))];
    if (bin === undefined) continue;
    bin.bytes += weight;
    bin.txs += 1;
  }
  return { age98, bins };
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.floor(((sorted[middle - 1] ?? 0) + upper) / 2);
}

/** 0 without transactions. */
function oldestTime(transactions: readonly PoolTransaction[]): number {
  return transactions.reduce(
    (oldest, tx) => (oldest === 0 ? tx.receiveTime : Math.min(oldest, tx.receiveTime)),
    0,
  );
}
