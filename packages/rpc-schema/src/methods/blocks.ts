import {
  BLOCK_COMPLETE_ENTRY,
  defineTable,
  f,
  type InputOf,
  omitDefault,
  optional,
  type OutputOf,
} from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';
import { TREE_OUTPUTS, TREE_PATH } from './outputs.ts';

/** The entries of peers with a weight of 64 bits, as all 64-bit integers of the RPC. */
const BLOCK_ENTRY = defineTable({
  ...BLOCK_COMPLETE_ENTRY.fields,
  block_weight: omitDefault(f.u64()),
});
/** A block with its transactions, as it is sent. */
export type BlockEntry = OutputOf<(typeof BLOCK_ENTRY)['fields']>;

/** Global indices of the outputs of one transaction. */
const TX_INDICES = defineTable({ indices: f.u64s() });
/** Global output indices, one item per transaction, the coinbase first. */
export const BLOCK_INDICES = defineTable({ indices: f.objects(TX_INDICES) });
export type BlockIndices = OutputOf<(typeof BLOCK_INDICES)['fields']>;

const BLOCKS_REQUEST = {
  block_ids: f.hashBlob(),
  block_ids_exclusive: f.bool(),
  init_tree_sync: omitDefault(f.bool()),
  max_block_count: f.u64(),
  no_miner_tx: f.bool(),
  pool_info_since: f.u64(),
  prune: f.bool(),
  requested_info: f.u8(),
  start_height: f.u64(),
};
export type BlocksRequest = InputOf<typeof BLOCKS_REQUEST>;

const ADDED_POOL_TX = defineTable({
  double_spend_seen: f.bool(),
  tx_blob: f.blob(),
  tx_hash: f.hash(),
});

const LOCKED_OUTPUTS = defineTable({
  last_locked_block: f.u64(),
  outputs: f.object(TREE_OUTPUTS),
});

/** What a wallet has to know of the curve tree to follow it from a block on. */
const INIT_TREE_SYNC = defineTable({
  init_block_hash: f.hash(),
  init_block_idx: f.u64(),
  last_path: f.object(TREE_PATH),
  locked_outputs: f.objects(LOCKED_OUTPUTS),
  n_leaf_tuples: f.u64(),
});
export type InitTreeSync = OutputOf<(typeof INIT_TREE_SYNC)['fields']>;

/** Methods about blocks in bulk, as wallets synchronize. */
export const BLOCK_METHODS = {
  getBlocksBin: defineMethod({
    binaryPaths: ['/get_blocks.bin', '/getblocks.bin'],
    summary:
      "Returns blocks and their transactions from the caller's position onwards, and changes of the pool. Wallets synchronize with it.",
    restricted: 'served',
    base: 'access',
    request: BLOCKS_REQUEST,
    response: {
      added_pool_txs: f.objects(ADDED_POOL_TX),
      blocks: f.objects(BLOCK_ENTRY),
      current_height: f.u64(),
      daemon_time: omitDefault(f.u64()),
      init_tree_sync_data: optional(f.object(INIT_TREE_SYNC)),
      output_indices: f.objects(BLOCK_INDICES),
      pool_info_extent: omitDefault(f.u8()),
      remaining_added_pool_txids: f.hashBlob(),
      removed_pool_txids: f.hashBlob(),
      start_height: f.u64(),
      top_block_hash: f.hash(),
    },
  }),
  getBlocksByHeightBin: defineMethod({
    binaryPaths: ['/get_blocks_by_height.bin', '/getblocks_by_height.bin'],
    summary: 'Returns the blocks at the given heights, with their transactions.',
    restricted: 'served',
    base: 'access',
    request: { heights: f.u64s() },
    response: { blocks: f.objects(BLOCK_ENTRY) },
  }),
  getHashesBin: defineMethod({
    binaryPaths: ['/get_hashes.bin', '/gethashes.bin'],
    summary: "Returns block ids from the caller's position onwards.",
    restricted: 'served',
    base: 'access',
    request: { block_ids: f.hashBlob(), start_height: f.u64() },
    response: { current_height: f.u64(), m_block_ids: f.hashBlob(), start_height: f.u64() },
  }),
};
