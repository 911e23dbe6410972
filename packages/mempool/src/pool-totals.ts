import { Yielder } from '@monero-node/base';
import type { PoolTransaction } from './pool-entry.ts';

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
