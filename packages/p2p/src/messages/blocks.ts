import {
  atMost,
  BLOCK_COMPLETE_ENTRY,
  defineTable,
  f,
  omitDefault,
} from '@monero-node/codec/portable-storage';
import type { MessageOf } from '@monero-node/codec/portable-storage';
import { common, FREE, MIB, rare } from './command-row.ts';
import type { CommandRow } from './command-row.ts';

/** The commands that carry blocks or ask for them. */
export const BLOCK_COMMANDS = {
  newBlock: { number: 2001, kind: 'notification', bodyLimit: 128 * MIB, cost: common(2) },
  requestObjects: {
    number: 2003,
    kind: 'notification',
    bodyLimit: 2 * MIB,
    cost: common(1),
    hasLongAnswer: true,
  },
  responseObjects: { number: 2004, kind: 'notification', bodyLimit: 128 * MIB, cost: FREE },
  newFluffyBlock: { number: 2008, kind: 'notification', bodyLimit: 4 * MIB, cost: common(2) },
  requestFluffyMissing: {
    number: 2009,
    kind: 'notification',
    bodyLimit: MIB,
    cost: rare(10),
    hasLongAnswer: true,
  },
} as const satisfies Record<string, CommandRow>;

/**
 * 2001: a new block with all its transactions; 2008: with some of them, usually none.
 * Source: NOTIFY_NEW_BLOCK and NOTIFY_NEW_FLUFFY_BLOCK in src/cryptonote_protocol/cryptonote_protocol_defs.h.
 */
export const NEW_BLOCK = defineTable({
  b: f.object(BLOCK_COMPLETE_ENTRY),
  current_blockchain_height: f.safeU64(),
});
export type NewBlock = MessageOf<typeof NEW_BLOCK>;

/** Most blocks in one answer. */
export const MAX_BLOCKS_PER_REQUEST = 100;

/** Most ids of a list that are read. A peer that asks for more than 100 is dropped in any case. */
const MAX_REQUESTED = 1000;

/** 2003: asks for at most 100 blocks. Source: NOTIFY_REQUEST_GET_OBJECTS in src/cryptonote_protocol/cryptonote_protocol_defs.h. */
export const REQUEST_OBJECTS = defineTable({
  blocks: atMost(MAX_REQUESTED, f.pods(32)),
  prune: omitDefault(f.bool()),
});
export type RequestObjects = MessageOf<typeof REQUEST_OBJECTS>;

/** 2004: the blocks of a 2003, in its order. Source: NOTIFY_RESPONSE_GET_OBJECTS in src/cryptonote_protocol/cryptonote_protocol_defs.h. */
export const RESPONSE_OBJECTS = defineTable({
  blocks: f.objects(BLOCK_COMPLETE_ENTRY),
  current_blockchain_height: f.safeU64(),
  missed_ids: atMost(MAX_REQUESTED, f.pods(32)),
});
export type ResponseObjects = MessageOf<typeof RESPONSE_OBJECTS>;

/**
 * 2009: asks for some transactions of a block; answered by 2008.
 * Source: NOTIFY_REQUEST_FLUFFY_MISSING_TX in src/cryptonote_protocol/cryptonote_protocol_defs.h.
 */
export const REQUEST_FLUFFY_MISSING = defineTable({
  block_hash: f.pod(32),
  current_blockchain_height: f.safeU64(),
  /** Positions in the block's list of transactions. */
  missing_tx_indices: f.packedU64s(),
});
export type RequestFluffyMissing = MessageOf<typeof REQUEST_FLUFFY_MISSING>;
