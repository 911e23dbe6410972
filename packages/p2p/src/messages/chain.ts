import { defineMessage, field } from '@monero-node/codec';
import type { MessageOf } from '@monero-node/codec';

/** 2006: ids of some of the sender's blocks, newest first, ending with genesis. */
export const REQUEST_CHAIN = defineMessage({
  block_ids: field.pods(32),
  prune: field.bool({ optional: false }),
});
export type RequestChain = MessageOf<typeof REQUEST_CHAIN>;

/** 2007: the ids from the newest common block (which comes first) on. */
export const RESPONSE_CHAIN = defineMessage({
  cumulative_difficulty: field.u64(),
  cumulative_difficulty_top64: field.u64(),
  /** Blob of the block with the second id; empty when there is none. */
  first_block: field.blob(),
  m_block_ids: field.pods(32),
  /** One per id, or none at all. */
  m_block_weights: field.u64Blob(),
  start_height: field.num64(),
  /** The sender's number of blocks. */
  total_height: field.num64(),
});
export type ResponseChain = MessageOf<typeof RESPONSE_CHAIN>;
