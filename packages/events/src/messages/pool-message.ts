import { defineTable, f } from '@monero-node/codec/portable-storage';
import type { MESSAGE_VERSION } from './chain-message.ts';
import { EVENT_TRANSACTION, type EventTransaction } from './transaction-table.ts';

/** Why a transaction left the pool. */
export type PoolRemovalReason = 'mined' | 'evicted' | 'expired' | 'flushed' | 'invalid';

/** A public transaction that is in the pool. */
export interface PoolAdded {
  readonly version: typeof MESSAGE_VERSION;
  readonly type: 'pool.added';
  /** Unix seconds at which the node that reports it received it. */
  readonly received_at: number;
  readonly tx: EventTransaction;
}

/** A transaction that has left the pool. */
export interface PoolRemoved {
  readonly version: typeof MESSAGE_VERSION;
  readonly type: 'pool.removed';
  readonly id: Uint8Array;
  readonly reason: PoolRemovalReason;
}

/** Figures of the whole chain. */
export interface Counters {
  readonly version: typeof MESSAGE_VERSION;
  readonly type: 'counters';
  /** Number of blocks. */
  readonly height: number;
  readonly top_id: Uint8Array;
  /** Of the newest block, seconds since 1970. */
  readonly timestamp: number;
  /** Of the newest block, decimal. */
  readonly difficulty: string;
  /** Decimal. */
  readonly cumulative_difficulty: string;
  /** Atomic units. */
  readonly generated_coins: bigint;
  /** Transactions without miner transactions. */
  readonly total_txs: number;
  /** Outputs of RingCT. */
  readonly rct_outputs: number;
}

/** A message on a subject of the pool's stream. */
export type PoolMessage = PoolAdded | PoolRemoved | Counters;

/** Fields of the message that adds a transaction to the pool. */
export const POOL_ADDED = defineTable({
  version: f.u8(),
  type: f.text(),
  received_at: f.safeU64(),
  tx: f.object(EVENT_TRANSACTION),
});

/** Fields of the message that removes a transaction from the pool. */
export const POOL_REMOVED = defineTable({
  version: f.u8(),
  type: f.text(),
  id: f.hash(),
  reason: f.text(),
});

/** Fields of the message with the counters of the chain. */
export const COUNTERS = defineTable({
  version: f.u8(),
  type: f.text(),
  height: f.safeU64(),
  top_id: f.hash(),
  timestamp: f.safeU64(),
  difficulty: f.text(),
  cumulative_difficulty: f.text(),
  generated_coins: f.u64(),
  total_txs: f.safeU64(),
  rct_outputs: f.safeU64(),
});
