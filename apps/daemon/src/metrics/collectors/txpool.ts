import type { SecondClock } from '@monero-node/base';
import type { TxPool } from '@monero-node/mempool';
import type { Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** Atomic units of one XMR. */
const XMR = 1e12;

export interface TxPoolSources {
  readonly pool: Pick<TxPool, 'size' | 'weight' | 'totals'>;
  readonly now: SecondClock;
}

/** Returns the collector of the figures about the transaction pool. */
export function txPoolCollector(
  metrics: Instruments['txpool'],
  { pool, now }: TxPoolSources,
): Collector {
  return async () => {
    const { fees, oldest } = await pool.totals();
    metrics.transactions.set(pool.size);
    metrics.weight.set(pool.weight);
    metrics.fees.set(Number(fees) / XMR);
    metrics.oldestAge.set(oldest === undefined ? 0 : Math.max(0, now() - oldest));
  };
}
