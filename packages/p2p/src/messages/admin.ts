import { defineTable, EMPTY_TABLE, f, omitDefault } from '@monero-node/codec/portable-storage';
import type { MessageOf } from '@monero-node/codec/portable-storage';
import { KIB, rare } from './command-row.ts';
import type { CommandRow } from './command-row.ts';
import { PEER_LIST_ENTRY } from './peer-entries.ts';

/** The commands of handshakes and of what is asked now and then. */
export const ADMIN_COMMANDS = {
  handshake: {
    number: 1001,
    kind: 'request',
    bodyLimit: 64 * KIB,
    cost: rare(5),
    isForHidden: true,
  },
  timedSync: {
    number: 1002,
    kind: 'request',
    bodyLimit: 64 * KIB,
    cost: rare(5),
    isForHidden: true,
  },
  ping: { number: 1003, kind: 'request', bodyLimit: 4 * KIB, cost: rare(1) },
  supportFlags: { number: 1007, kind: 'request', bodyLimit: 4 * KIB, cost: rare(1) },
} as const satisfies Record<string, CommandRow>;

/** Bit 0 of `support_flags`: the peer understands fluffy blocks. */
export const SUPPORT_FLAG_FLUFFY_BLOCKS = 1;

/** `status` of a ping answer. */
export const PING_OK = 'OK';

/** The description of a node. Source: basic_node_data in src/p2p/p2p_protocol_defs.h. */
export const NODE_DATA = defineTable({
  /** Port to reach the sender at; 0 when it cannot be reached. */
  my_port: f.u32(),
  network_id: f.pod(16),
  peer_id: f.u64(),
  rpc_credits_per_hash: omitDefault(f.u32()),
  rpc_port: omitDefault(f.u16()),
  support_flags: omitDefault(f.u32()),
});
export type NodeData = MessageOf<typeof NODE_DATA>;

/** The state of a node's chain. Source: CORE_SYNC_DATA in src/cryptonote_protocol/cryptonote_protocol_defs.h. */
export const SYNC_DATA = defineTable({
  cumulative_difficulty: f.u64(),
  cumulative_difficulty_top64: f.u64(),
  /** Number of blocks. */
  current_height: f.safeU64(),
  pruning_seed: omitDefault(f.u32()),
  top_id: f.pod(32),
  /** Hard-fork version for the height of the top block. */
  top_version: omitDefault(f.u8()),
});
export type SyncData = MessageOf<typeof SYNC_DATA>;

/** 1001: introduces the node that opened the connection. Source: COMMAND_HANDSHAKE_T in src/p2p/p2p_protocol_defs.h. */
export const HANDSHAKE_REQUEST = defineTable({
  node_data: f.object(NODE_DATA),
  payload_data: f.object(SYNC_DATA),
});
export type HandshakeRequest = MessageOf<typeof HANDSHAKE_REQUEST>;

/** The answer to 1001: the other node, and at most 250 peers. */
export const HANDSHAKE_RESPONSE = defineTable({
  local_peerlist_new: f.objects(PEER_LIST_ENTRY),
  node_data: f.object(NODE_DATA),
  payload_data: f.object(SYNC_DATA),
});
export type HandshakeResponse = MessageOf<typeof HANDSHAKE_RESPONSE>;

/** 1002: the state of the sender's chain, once a minute. Source: COMMAND_TIMED_SYNC_T in src/p2p/p2p_protocol_defs.h. */
export const TIMED_SYNC_REQUEST = defineTable({ payload_data: f.object(SYNC_DATA) });
export type TimedSyncRequest = MessageOf<typeof TIMED_SYNC_REQUEST>;

/** The answer to 1002: the state of the other chain, and at most 250 peers. */
export const TIMED_SYNC_RESPONSE = defineTable({
  local_peerlist_new: f.objects(PEER_LIST_ENTRY),
  payload_data: f.object(SYNC_DATA),
});
export type TimedSyncResponse = MessageOf<typeof TIMED_SYNC_RESPONSE>;

/** Body of the requests without fields: PING and SUPPORT_FLAGS. */
export const EMPTY_REQUEST = EMPTY_TABLE;

/** The answer to 1003. Source: COMMAND_PING in src/p2p/p2p_protocol_defs.h. */
export const PING_RESPONSE = defineTable({ peer_id: f.u64(), status: f.text() });
export type PingResponse = MessageOf<typeof PING_RESPONSE>;

/** The answer to 1007. Source: COMMAND_REQUEST_SUPPORT_FLAGS in src/p2p/p2p_protocol_defs.h. */
export const SUPPORT_FLAGS_RESPONSE = defineTable({ support_flags: f.u32() });
export type SupportFlagsResponse = MessageOf<typeof SUPPORT_FLAGS_RESPONSE>;
