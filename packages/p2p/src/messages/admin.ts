import { defineMessage, field } from '@monero-node/codec';
import type { MessageOf } from '@monero-node/codec';
import { PEER_LIST_ENTRY } from './peer-entries.ts';

/** Bit 0 of `support_flags`: the peer understands fluffy blocks. */
export const SUPPORT_FLAG_FLUFFY_BLOCKS = 1;

/** `status` of a ping answer. */
export const PING_OK = 'OK';

/** Who a node is (`src/p2p/p2p_protocol_defs.h`, basic_node_data). */
export const NODE_DATA = defineMessage({
  /** Port to reach the sender at; 0 when it cannot be reached. */
  my_port: field.u32(),
  network_id: field.pod(16),
  peer_id: field.u64(),
  rpc_credits_per_hash: field.u32({ optional: 0 }),
  rpc_port: field.u16({ optional: 0 }),
  support_flags: field.u32({ optional: 0 }),
});
export type NodeData = MessageOf<typeof NODE_DATA>;

/** What a node's chain looks like (core_sync_data). */
export const SYNC_DATA = defineMessage({
  cumulative_difficulty: field.u64(),
  cumulative_difficulty_top64: field.u64(),
  /** Number of blocks. */
  current_height: field.num64(),
  pruning_seed: field.u32({ optional: 0 }),
  top_id: field.pod(32),
  /** Fork version the top block ought to have. */
  top_version: field.u8({ optional: 0 }),
});
export type SyncData = MessageOf<typeof SYNC_DATA>;

export const HANDSHAKE_REQUEST = defineMessage({
  node_data: field.object(NODE_DATA),
  payload_data: field.object(SYNC_DATA),
});
export type HandshakeRequest = MessageOf<typeof HANDSHAKE_REQUEST>;

export const HANDSHAKE_RESPONSE = defineMessage({
  local_peerlist_new: field.objects(PEER_LIST_ENTRY),
  node_data: field.object(NODE_DATA),
  payload_data: field.object(SYNC_DATA),
});
export type HandshakeResponse = MessageOf<typeof HANDSHAKE_RESPONSE>;

export const TIMED_SYNC_REQUEST = defineMessage({ payload_data: field.object(SYNC_DATA) });
export type TimedSyncRequest = MessageOf<typeof TIMED_SYNC_REQUEST>;

export const TIMED_SYNC_RESPONSE = defineMessage({
  local_peerlist_new: field.objects(PEER_LIST_ENTRY),
  payload_data: field.object(SYNC_DATA),
});
export type TimedSyncResponse = MessageOf<typeof TIMED_SYNC_RESPONSE>;

/** Body of the requests that carry nothing: PING and SUPPORT_FLAGS. */
export const EMPTY_REQUEST = defineMessage<Record<never, never>>({});

export const PING_RESPONSE = defineMessage({ peer_id: field.u64(), status: field.string() });
export type PingResponse = MessageOf<typeof PING_RESPONSE>;

export const SUPPORT_FLAGS_RESPONSE = defineMessage({ support_flags: field.u32() });
export type SupportFlagsResponse = MessageOf<typeof SUPPORT_FLAGS_RESPONSE>;
