import { defineTable, f, type MessageOf } from '@monero-node/codec/portable-storage';
import { EVENT_TRANSACTION } from './transaction-table.ts';

/** A block of the main chain with its transactions. */
export const EVENT_BLOCK = defineTable({
  height: f.safeU64(),
  id: f.hash(),
  prev_id: f.hash(),
  /** Seconds since 1970, as the header claims. */
  timestamp: f.safeU64(),
  major_version: f.u8(),
  minor_version: f.u8(),
  nonce: f.u32(),
  weight: f.safeU64(),
  long_term_weight: f.safeU64(),
  /** Decimal, below 2^128. */
  difficulty: f.text(),
  /** Decimal, below 2^128: of the chain up to and including this block. */
  cumulative_difficulty: f.text(),
  /** Atomic units that the miner transaction pays, fees included. */
  reward: f.u64(),
  /** Atomic units: the fees of `txs`. */
  fees: f.u64(),
  /** Atomic units emitted up to and including this block. */
  generated_coins: f.u64(),
  /** Transactions up to and including this block, without miner transactions. */
  total_txs: f.safeU64(),
  miner_tx: f.object(EVENT_TRANSACTION),
  /** In the order of the block. */
  txs: f.objects(EVENT_TRANSACTION),
});

export type EventBlock = MessageOf<typeof EVENT_BLOCK>;
