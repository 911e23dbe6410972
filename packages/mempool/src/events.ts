import type { PoolTransaction } from './store/pool-entry.ts';
import type { RelayMethod } from './store/relay-method.ts';

/** Why a transaction left the pool. */
export type RemovalReason = 'mined' | 'evicted' | 'expired' | 'flushed' | 'invalid';

/** Events of the pool, emitted once the change is visible. */
export interface TxPoolEvents {
  added: [PoolTransaction];
  removed: [{ readonly transaction: PoolTransaction; readonly reason: RemovalReason }];
  /**
   * Transactions that have become public, or were public when they arrived. `isNews` is false for those that a
   * block brought: they left the main chain, or are of a block of a side chain.
   */
  published: [PoolTransaction[], { readonly isNews: boolean }];
  /** Transactions to be sent to peers by a method; call `markRelayed` once that is done. */
  relay: [
    {
      readonly transactions: PoolTransaction[];
      readonly method: RelayMethod;
      /** Connection they came from, 32 hex digits; absent for transactions of this node. */
      readonly from?: string;
    },
  ];
}
