import { atMost, defineTable, f, omitDefault } from '@monero-node/codec/portable-storage';
import type { MessageOf } from '@monero-node/codec/portable-storage';
import { FREE, KIB, MIB, rare } from './command-row.ts';
import type { CommandRow } from './command-row.ts';

/** The commands about ids of the chain. */
export const CHAIN_COMMANDS = {
  requestChain: {
    number: 2006,
    kind: 'notification',
    bodyLimit: 512 * KIB,
    cost: rare(10),
    hasLongAnswer: true,
  },
  responseChain: { number: 2007, kind: 'notification', bodyLimit: 4 * MIB, cost: FREE },
} as const satisfies Record<string, CommandRow>;

/**
 * Ids in a request. An honest one has ten and then one for every doubling of the distance, so about forty; monerod takes
 * what fits into the 512 KiB of the command.
 */
const MAX_KNOWN_IDS = 16_384;
/** Ids in an answer. Source: BLOCKS_IDS_SYNCHRONIZING_MAX_COUNT in src/cryptonote_config.h */
const MAX_CHAIN_IDS = 25_000;

/**
 * 2006: ids of some of the sender's blocks, newest first, ending with genesis.
 * Source: NOTIFY_REQUEST_CHAIN in src/cryptonote_protocol/cryptonote_protocol_defs.h.
 */
export const REQUEST_CHAIN = defineTable({
  block_ids: atMost(MAX_KNOWN_IDS, f.pods(32)),
  prune: omitDefault(f.bool()),
});
export type RequestChain = MessageOf<typeof REQUEST_CHAIN>;

/**
 * 2007: ids in order of height, beginning with the newest common block.
 * Source: NOTIFY_RESPONSE_CHAIN_ENTRY in src/cryptonote_protocol/cryptonote_protocol_defs.h.
 */
export const RESPONSE_CHAIN = defineTable({
  cumulative_difficulty: f.u64(),
  cumulative_difficulty_top64: f.u64(),
  /** Blob of the block with the second id; empty without a second id. */
  first_block: f.blob(),
  m_block_ids: atMost(MAX_CHAIN_IDS, f.pods(32)),
  /** One weight per id, or an empty list. */
  m_block_weights: atMost(MAX_CHAIN_IDS, f.packedU64s()),
  start_height: f.safeU64(),
  /** The sender's number of blocks. */
  total_height: f.safeU64(),
});
export type ResponseChain = MessageOf<typeof RESPONSE_CHAIN>;
