import type { PoolTransaction } from './pool-entry.ts';
import type { RelayMethod } from './relay-method.ts';

export type RemovalReason = 'mined' | 'evicted' | 'expired' | 'flushed' | 'invalid';

/** Events of the pool. All are emitted once the change can be seen. */
export interface TxPoolEvents {
  added: [PoolTransaction];
  removed: [{ readonly transaction: PoolTransaction; readonly reason: RemovalReason }];
  /** The public may know of them from now on; also for those that were public when they came. */
  published: [PoolTransaction[]];
  /** To be sent to peers by that method; tell `markRelayed` once it is done. */
  relay: [
    {
      readonly transactions: PoolTransaction[];
      readonly method: RelayMethod;
      /** Connection they came over, if one did. */
      readonly from?: string;
    },
  ];
}
