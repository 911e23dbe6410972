import { BLOCK_COMPLETE_ENTRY, defineMessage, field } from '@monero-node/codec';
import type { MessageOf } from '@monero-node/codec';

/** 2001 (all transactions) and 2008 (only some, usually none). */
export const NEW_BLOCK = defineMessage({
  b: field.object(BLOCK_COMPLETE_ENTRY),
  current_blockchain_height: field.num64(),
});
export type NewBlock = MessageOf<typeof NEW_BLOCK>;

/** 2003: asks for at most 100 blocks. */
export const REQUEST_OBJECTS = defineMessage({
  blocks: field.pods(32),
  prune: field.bool({ optional: false }),
});
export type RequestObjects = MessageOf<typeof REQUEST_OBJECTS>;

/** 2004: the blocks of a 2003, in its order. */
export const RESPONSE_OBJECTS = defineMessage({
  blocks: field.objects(BLOCK_COMPLETE_ENTRY),
  current_blockchain_height: field.num64(),
  missed_ids: field.pods(32),
});
export type ResponseObjects = MessageOf<typeof RESPONSE_OBJECTS>;

/** 2009: asks for some transactions of a block; answered by 2008. */
export const REQUEST_FLUFFY_MISSING = defineMessage({
  block_hash: field.pod(32),
  current_blockchain_height: field.num64(),
  /** Positions in the block's list of transactions. */
  missing_tx_indices: field.u64Blob(),
});
export type RequestFluffyMissing = MessageOf<typeof REQUEST_FLUFFY_MISSING>;
