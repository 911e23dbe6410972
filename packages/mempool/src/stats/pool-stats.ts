import { Yielder } from '@monero-node/base';
import { median } from '@monero-node/consensus';
import type { PoolTransaction } from '../store/pool-entry.ts';

/** Sums over the pool. */
export interface PoolTotals {
  /** Atomic units. */
  readonly fees: bigint;
  /** When the oldest transaction was received, Unix seconds; undefined without transactions. */
  readonly oldest: number | undefined;
}

/** Transactions between two looks at the clock. */
const STEP = 256;

/** Sums up transactions. The list may change meanwhile; the event loop gets its turns in between. */
export async function poolTotals(
  transactions: Iterable<Pick<PoolTransaction, 'fee' | 'receiveTime'>>,
  yielder = new Yielder(),
): Promise<PoolTotals> {
  let fees = 0n;
  let oldest: number | undefined;
  let count = 0;
  for (const { fee, receiveTime } of transactions) {
    fees += fee;
    if (oldest === undefined || receiveTime < oldest) oldest = receiveTime;
    if (++count % STEP === 0) await yielder.yieldIfDue();
  }
  return { fees, oldest };
}

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
 * Returns the figures of `txpool_stats`. Weights are in weight units, fees in atomic units. The event loop gets its turns
 * in between.
 *
 * Source: tx_memory_pool::get_transaction_stats in src/cryptonote_core/tx_pool.cpp.
 *
 * @param now Unix seconds
 */
export async function poolStats(
  transactions: readonly CountedTransaction[],
  now: number,
  yielder = new Yielder(),
): Promise<PoolStats> {
  const { length } = transactions;
  const weights = new Float64Array(length);
  const ages = new Float64Array(length);
  const counts = { olderThanTenMinutes: 0, doubleSpends: 0, failing: 0, notRelayed: 0 };
  let [weightTotal, feeTotal, oldest] = [0, 0n, 0];
  for (const [i, tx] of transactions.entries()) {
    const { weight, receiveTime } = tx;
    weights[i] = weight;
    ages[i] = Math.max(1, now - receiveTime);
    weightTotal += weight;
    feeTotal += tx.fee;
    if (oldest === 0 || receiveTime < oldest) oldest = receiveTime;
    if (receiveTime < now - TEN_MINUTES) counts.olderThanTenMinutes++;
    if (tx.doubleSpendSeen) counts.doubleSpends++;
    if (tx.lastFailedHeight > 0) counts.failing++;
    if (!tx.relayed) counts.notRelayed++;
    if (i % STEP === 0) await yielder.yieldIfDue();
  }
  const histogram = histogramOf(ages, weights, now - oldest);
  await yielder.yieldIfDue();
  weights.sort();
  return {
    count: length,
    weightTotal,
    feeTotal,
    oldest,
    ...counts,
    ...histogram,
    weightMin: weights[0] ?? 0,
    weightMax: weights.at(-1) ?? 0,
    weightMedian: median(weights),
  };
}

/** @param ages and weights of the transactions, in the same order; seconds and weight units */
function histogramOf(
  ages: Float64Array,
  weights: Float64Array,
  oldestAge: number,
): Pick<PoolStats, 'age98' | 'histogram'> {
  const total = ages.length;
  if (total <= 1) return { age98: 0, histogram: [] };
  const tail = Math.floor(total * TAIL);
  // Transactions of the same age are either all in the tail or none.
  const age98 = tail > 0 ? (ages.slice().sort()[total - tail] ?? 0) : 0;
  const spread = tail > 0 ? BINS - 1 : Math.min(total, BINS);
  const span = Math.max(1, tail > 0 ? age98 : oldestAge);
  const histogram = Array.from({ length: tail > 0 ? BINS : spread }, () => ({
    weight: 0,
    count: 0,
  }));
  for (let i = 0; i < total; i++) {
    const age = ages[i] ?? 0;
    const inTail = tail > 0 && age >= age98;
    const at = inTail ? BINS - 1 : Math.min(spread - 1, Math.floor((age * spread - 1) / span));
    const bin = histogram[at];
    if (bin === undefined) continue;
    bin.weight += weights[i] ?? 0;
    bin.count += 1;
  }
  return { age98, histogram };
}
