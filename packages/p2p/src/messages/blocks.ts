import {
  BLOCK_COMPLETE_ENTRY,
  defineTable,
  f,
  omitDefault,
} from '@monero-node/codec/portable-storage';
import type { MessageOf } from '@monero-node/codec/portable-storage';

/** 2001 (all transactions) and 2008 (only some, usually none). */
export const NEW_BLOCK = defineTable({
  b: f.object(BLOCK_COMPLETE_ENTRY),
  current_blockchain_height: f.safeU64(),
});
export type NewBlock = MessageOf<typeof NEW_BLOCK>;

/** 2003: asks for at most 100 blocks. */
export const REQUEST_OBJECTS = defineTable({
  blocks: f.pods(32),
  prune: omitDefault(f.bool()),
});
export type RequestObjects = MessageOf<typeof REQUEST_OBJECTS>;

/** 2004: the blocks of a 2003, in its order. */
export const RESPONSE_OBJECTS = defineTable({
  blocks: f.objects(BLOCK_COMPLETE_ENTRY),
  current_blockchain_height: f.safeU64(),
  missed_ids: f.pods(32),
});
export type ResponseObjects = MessageOf<typeof RESPONSE_OBJECTS>;

/** 2009: asks for some transactions of a block; answered by 2008. */
export const REQUEST_FLUFFY_MISSING = defineTable({
  block_hash: f.pod(32),
  current_blockchain_height: f.safeU64(),
  /** Positions in the block's list of transactions. */
  missing_tx_indices: f.packedU64s(),
});
export type RequestFluffyMissing = MessageOf<typeof REQUEST_FLUFFY_MISSING>;
