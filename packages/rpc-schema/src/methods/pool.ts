import {
  defineTable,
  f,
  omitDefault,
  optional,
  type OutputOf,
  withDefault,
} from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

const POOL_AGE_BIN = defineTable({ bytes: f.u64(), txs: f.u32() });

/** All "bytes" are weights. */
const POOL_STATS = defineTable({
  bytes_max: f.u32(),
  bytes_med: f.u32(),
  bytes_min: f.u32(),
  bytes_total: f.u64(),
  fee_total: f.u64(),
  histo: f.objects(POOL_AGE_BIN),
  histo_98pc: f.u64(),
  num_10m: f.u32(),
  num_double_spends: f.u32(),
  num_failing: f.u32(),
  num_not_relayed: f.u32(),
  oldest: f.u64(),
  txs_total: f.u32(),
});

const POOL_TRANSACTION = defineTable({
  blob_size: f.u64(),
  do_not_relay: f.bool(),
  double_spend_seen: f.bool(),
  fee: f.u64(),
  id_hash: f.hash(),
  kept_by_block: f.bool(),
  last_failed_height: f.u64(),
  last_failed_id_hash: f.hash(),
  last_relayed_time: f.u64(),
  /** The documented name of max_used_block_id_hash; clients know either. */
  max_used_block_hash: f.hash(),
  max_used_block_height: f.u64(),
  max_used_block_id_hash: f.hash(),
  receive_time: f.u64(),
  relayed: f.bool(),
  tx_blob: f.hex(),
  tx_json: f.text(),
  weight: omitDefault(f.u64()),
});
export type PoolTransactionAnswer = OutputOf<(typeof POOL_TRANSACTION)['fields']>;

const SPENT_KEY_IMAGE = defineTable({ id_hash: f.hash(), txs_hashes: f.hashes() });
export type SpentKeyImageAnswer = OutputOf<(typeof SPENT_KEY_IMAGE)['fields']>;

/** Methods about the transaction pool. */
export const POOL_METHODS = {
  getTransactionPool: defineMethod({
    paths: ['/get_transaction_pool'],
    summary: 'Returns the pool transactions and the key images they spend.',
    restricted: 'hidden',
    base: 'access',
    request: {},
    response: {
      spent_key_images: f.objects(SPENT_KEY_IMAGE),
      transactions: f.objects(POOL_TRANSACTION),
    },
  }),
  getTransactionPoolHashes: defineMethod({
    paths: ['/get_transaction_pool_hashes'],
    summary: 'Returns the ids of the pool transactions.',
    restricted: 'served',
    base: 'access',
    request: {},
    response: { tx_hashes: f.hashes() },
  }),
  getTransactionPoolHashesBin: defineMethod({
    paths: ['/get_transaction_pool_hashes.bin'],
    summary:
      'Returns the ids of the pool transactions as joined bytes. Despite its name it takes and returns JSON.',
    restricted: 'served',
    base: 'access',
    request: {},
    response: { tx_hashes: f.hashBlob() },
  }),
  getTransactionPoolStats: defineMethod({
    paths: ['/get_transaction_pool_stats'],
    summary: 'Returns statistics of the pool.',
    restricted: 'served',
    base: 'access',
    request: {},
    response: { pool_stats: f.object(POOL_STATS) },
  }),
  getTxpoolBacklog: defineMethod({
    names: ['get_txpool_backlog'],
    summary: 'Returns the weight, fee and waiting time of the pool transactions.',
    restricted: 'served',
    base: 'access',
    request: {},
    response: { backlog: optional(f.blob()) },
  }),
  getFeeEstimate: defineMethod({
    names: ['get_fee_estimate'],
    summary: 'Returns the recommended fee per byte, for four priorities.',
    restricted: 'served',
    base: 'access',
    request: { grace_blocks: f.u64() },
    response: { fee: f.u64(), fees: f.u64s(), quantization_mask: withDefault(f.u64(), 1n) },
  }),
  flushTxpool: defineMethod({
    names: ['flush_txpool'],
    summary: 'Removes the given transactions from the pool, or all of them.',
    restricted: 'hidden',
    base: 'basic',
    request: { txids: f.hexTexts() },
    response: {},
  }),
};
