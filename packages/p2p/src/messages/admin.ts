import { defineTable, EMPTY_TABLE, f, omitDefault } from '@monero-node/codec/portable-storage';
import type { MessageOf } from '@monero-node/codec/portable-storage';
import { PEER_LIST_ENTRY } from './peer-entries.ts';

/** Bit 0 of `support_flags`: the peer understands fluffy blocks. */
export const SUPPORT_FLAG_FLUFFY_BLOCKS = 1;

/** `status` of a ping answer. */
export const PING_OK = 'OK';

/** The description of a node (`src/p2p/p2p_protocol_defs.h`, basic_node_data). */
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

/** The state of a node's chain (core_sync_data). */
export const SYNC_DATA = defineTable({
  cumulative_difficulty: f.u64(),
  cumulative_difficulty_top64: f.u64(),
  /** Number of blocks. */
  current_height: f.safeU64(),
  pruning_seed: omitDefault(f.u32()),
  top_id: f.pod(32),
  /** Fork version the top block ought to have. */
  top_version: omitDefault(f.u8()),
});
export type SyncData = MessageOf<typeof SYNC_DATA>;

export const HANDSHAKE_REQUEST = defineTable({
  node_data: f.object(NODE_DATA),
  payload_data: f.object(SYNC_DATA),
});
export type HandshakeRequest = MessageOf<typeof HANDSHAKE_REQUEST>;

export const HANDSHAKE_RESPONSE = defineTable({
  local_peerlist_new: f.objects(PEER_LIST_ENTRY),
  node_data: f.object(NODE_DATA),
  payload_data: f.object(SYNC_DATA),
});
export type HandshakeResponse = MessageOf<typeof HANDSHAKE_RESPONSE>;

export const TIMED_SYNC_REQUEST = defineTable({ payload_data: f.object(SYNC_DATA) });
export type TimedSyncRequest = MessageOf<typeof TIMED_SYNC_REQUEST>;

export const TIMED_SYNC_RESPONSE = defineTable({
  local_peerlist_new: f.objects(PEER_LIST_ENTRY),
  payload_data: f.object(SYNC_DATA),
});
export type TimedSyncResponse = MessageOf<typeof TIMED_SYNC_RESPONSE>;

/** Body of the requests that carry nothing: PING and SUPPORT_FLAGS. */
export const EMPTY_REQUEST = EMPTY_TABLE;

export const PING_RESPONSE = defineTable({ peer_id: f.u64(), status: f.text() });
export type PingResponse = MessageOf<typeof PING_RESPONSE>;

export const SUPPORT_FLAGS_RESPONSE = defineTable({ support_flags: f.u32() });
export type SupportFlagsResponse = MessageOf<typeof SUPPORT_FLAGS_RESPONSE>;
