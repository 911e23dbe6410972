import { median } from '@monero-node/consensus';
import type { PoolTransaction } from './pool-entry.ts';

/** The figures of `txpool_stats`. */
export interface PoolStats {
  readonly count: number;
  /** Sums and bounds of weights. */
  readonly weightTotal: number;
  readonly weightMin: number;
  readonly weightMax: number;
  readonly weightMedian: number;
  /** Atomic units. */
  readonly feeTotal: bigint;
  /** Unix seconds; 0 without transactions. */
  readonly oldest: number;
  readonly olderThanTenMinutes: number;
  readonly doubleSpends: number;
  readonly failing: number;
  readonly notRelayed: number;
  /** Age in seconds from which on transactions are in the last bin; 0 without that bin. */
  readonly age98: number;
  /** Bins by age, youngest first. */
  readonly histogram: readonly { readonly weight: number; readonly count: number }[];
}

/** The properties of a transaction that the figures depend on. */
export type CountedTransaction = Pick<
  PoolTransaction,
  'weight' | 'fee' | 'receiveTime' | 'doubleSpendSeen' | 'lastFailedHeight' | 'relayed'
>;

const TEN_MINUTES = 600;
/** Share of the oldest transactions that get a bin of their own, once it is at least one. */
const TAIL = 0.02;
const BINS = 10;

/**
 * Returns the figures of `txpool_stats`. Weights are in weight units, fees in atomic units.
 *
 * Source: tx_memory_pool::get_transaction_stats in src/cryptonote_core/tx_pool.cpp.
 *
 * @param now Unix seconds
 */
export function poolStats(transactions: readonly CountedTransaction[], now: number): PoolStats {
  const weights = transactions.map(({ weight }) => weight).sort((a, b) => a - b);
  const count = (test: (tx: CountedTransaction) => boolean) => transactions.filter(test).length;
  let oldest = 0;
  for (const { receiveTime } of transactions) {
    if (oldest === 0 || receiveTime < oldest) oldest = receiveTime;
  }
  return {
    count: transactions.length,
    weightTotal: weights.reduce((sum, weight) => sum + weight, 0),
    weightMin: weights[0] ?? 0,
    weightMax: weights.at(-1) ?? 0,
    weightMedian: median(weights),
    feeTotal: transactions.reduce((sum, { fee }) => sum + fee, 0n),
    oldest,
    olderThanTenMinutes: count(({ receiveTime }) => receiveTime < now - TEN_MINUTES),
    doubleSpends: count(({ doubleSpendSeen }) => doubleSpendSeen),
    failing: count(({ lastFailedHeight }) => lastFailedHeight > 0),
    notRelayed: count(({ relayed }) => !relayed),
    ...histogramOf(transactions, now, oldest),
  };
}

function histogramOf(
  transactions: readonly CountedTransaction[],
  now: number,
  oldest: number,
): Pick<PoolStats, 'age98' | 'histogram'> {
  const total = transactions.length;
  if (total <= 1) return { age98: 0, histogram: [] };
  const aged = transactions
    .map(({ receiveTime, weight }) => ({ age: Math.max(1, now - receiveTime), weight }))
    .sort((a, b) => a.age - b.age);
  const tail = Math.floor(total * TAIL);
  // Transactions of the same age are either all in the tail or none.
  const age98 = tail > 0 ? (aged[total - tail]?.age ?? 0) : 0;
  const spread = tail > 0 ? BINS - 1 : Math.min(total, BINS);
  const span = Math.max(1, tail > 0 ? age98 : now - oldest);
  const histogram = Array.from({ length: tail > 0 ? BINS : spread }, () => ({
    weight: 0,
    count: 0,
  }));
  for (const { age, weight } of aged) {
    const inTail = tail > 0 && age >= age98;
    const at = inTail ? BINS - 1 : Math.min(spread - 1, Math.floor((age * spread - 1) / span));
    const bin = histogram[at];
    if (bin === undefined) continue;
    bin.weight += weight;
    bin.count += 1;
  }
  return { age98, histogram };
}
