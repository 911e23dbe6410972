import {
  defineTable,
  f,
  omitDefault,
  optional,
  type OutputOf,
  withDefault,
} from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

/** `connection_info`: one connection to a peer. */
const CONNECTION_INFO = defineTable({
  address: f.text(),
  address_type: f.u8(),
  avg_download: f.u64(),
  avg_upload: f.u64(),
  connection_id: f.text(),
  current_download: f.u64(),
  current_upload: f.u64(),
  height: f.u64(),
  host: f.text(),
  incoming: f.bool(),
  ip: f.text(),
  live_time: f.u64(),
  local_ip: f.bool(),
  localhost: f.bool(),
  peer_id: f.text(),
  port: f.text(),
  pruning_seed: f.u32(),
  recv_count: f.u64(),
  recv_idle_time: f.u64(),
  rpc_credits_per_hash: f.u32(),
  rpc_port: f.u16(),
  send_count: f.u64(),
  send_idle_time: f.u64(),
  /** Sent by monerod only. */
  ssl: omitDefault(f.bool()),
  state: f.text(),
  support_flags: f.u32(),
});
export type ConnectionAnswer = OutputOf<(typeof CONNECTION_INFO)['fields']>;

const PEER = defineTable({
  host: f.text(),
  id: f.u64(),
  ip: f.u32(),
  last_seen: f.u64(),
  port: f.u16(),
  pruning_seed: omitDefault(f.u32()),
  rpc_credits_per_hash: omitDefault(f.u32()),
  rpc_port: omitDefault(f.u16()),
});
export type PeerAnswer = OutputOf<(typeof PEER)['fields']>;

const PUBLIC_NODE = defineTable({
  host: f.text(),
  last_seen: f.u64(),
  rpc_credits_per_hash: f.u32(),
  rpc_port: f.u16(),
});
export type PublicNodeAnswer = OutputOf<(typeof PUBLIC_NODE)['fields']>;

const SYNC_PEER = defineTable({ info: f.object(CONNECTION_INFO) });

const SYNC_SPAN = defineTable({
  connection_id: f.text(),
  nblocks: f.u64(),
  rate: f.u32(),
  remote_address: f.text(),
  size: f.u64(),
  speed: f.u32(),
  start_block_height: f.u64(),
});

/** A network in which the node takes part. */
const NETWORK = defineTable({
  connected: f.u64(),
  first: optional(f.u64()),
  last: optional(f.u64()),
  network: f.text(),
});

/** An address of the node. */
const OWN_ADDRESS = defineTable({ address: f.text(), hosts: f.u64() });

/** The port of the router. */
const PORT_MAPPING = defineTable({
  external_host: optional(f.text()),
  protocol: optional(f.text()),
  state: f.text(),
  why: optional(f.text()),
});

/** Methods about peers. */
export const PEER_METHODS = {
  getConnections: defineMethod({
    names: ['get_connections'],
    summary: 'Returns the connections to peers.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: { connections: f.objects(CONNECTION_INFO) },
  }),
  syncInfo: defineMethod({
    names: ['sync_info'],
    summary: 'Returns the progress of synchronization.',
    restricted: 'hidden',
    base: 'access',
    request: {},
    response: {
      height: f.u64(),
      /** Despite its name a stripe, 0 to 8. */
      next_needed_pruning_seed: f.u32(),
      overview: f.text(),
      peers: f.objects(SYNC_PEER),
      spans: f.objects(SYNC_SPAN),
      target_height: f.u64(),
    },
  }),
  getPeerList: defineMethod({
    paths: ['/get_peer_list'],
    summary: 'Returns the known peers: the white list has been reached, the gray list has not.',
    restricted: 'hidden',
    base: 'basic',
    request: { include_blocked: f.bool(), public_only: withDefault(f.bool(), true) },
    response: { gray_list: f.objects(PEER), white_list: f.objects(PEER) },
  }),
  getPublicNodes: defineMethod({
    paths: ['/get_public_nodes'],
    summary: 'Returns the known peers that offer their RPC to the public.',
    restricted: 'served',
    base: 'basic',
    request: { gray: f.bool(), include_blocked: f.bool(), white: withDefault(f.bool(), true) },
    response: { gray: f.objects(PUBLIC_NODE), white: f.objects(PUBLIC_NODE) },
  }),
  getNetStats: defineMethod({
    paths: ['/get_net_stats'],
    summary: 'Returns the amount of traffic with peers.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: {
      start_time: f.u64(),
      total_bytes_in: f.u64(),
      total_bytes_out: f.u64(),
      total_packets_in: f.u64(),
      total_packets_out: f.u64(),
    },
  }),
  getReachability: defineMethod({
    names: ['get_reachability'],
    summary:
      'Returns whether and when peers have come to this node from each network, over restarts: `connected` is the number of them now, `first` is when the first one ever came, and `last` is when one was there last, in Unix seconds. `closed_by` is the option because of which nobody of the public network is to come, `port` is the one at which they are to come in, and `addresses` are those at which others have reached this node since the start, with the number of hosts that say so. `mapping` is there with `--port-mapping`: its `state` is `trying`, `mapped` or `failed`. Of this node only.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: {
      addresses: f.objects(OWN_ADDRESS),
      closed_by: optional(f.text()),
      mapping: optional(f.object(PORT_MAPPING)),
      networks: f.objects(NETWORK),
      port: f.u16(),
    },
  }),
  getLimit: defineMethod({
    paths: ['/get_limit'],
    summary: 'Returns the bandwidth limits, in KiB/s.',
    restricted: 'served',
    base: 'basic',
    request: {},
    response: { limit_down: f.u64(), limit_up: f.u64() },
  }),
  setLimit: defineMethod({
    paths: ['/set_limit'],
    summary: 'Sets the bandwidth limits, in KiB/s.',
    restricted: 'hidden',
    base: 'basic',
    request: { limit_down: f.i64(), limit_up: f.i64() },
    response: { limit_down: f.i64(), limit_up: f.i64() },
  }),
  inPeers: defineMethod({
    paths: ['/in_peers'],
    summary: 'Sets or returns the maximum number of incoming connections.',
    restricted: 'hidden',
    base: 'basic',
    request: { in_peers: f.u32(), set: withDefault(f.bool(), true) },
    response: { in_peers: f.u32() },
  }),
  outPeers: defineMethod({
    paths: ['/out_peers'],
    summary: 'Sets or returns the maximum number of outgoing connections.',
    restricted: 'hidden',
    base: 'basic',
    request: { out_peers: f.u32(), set: withDefault(f.bool(), true) },
    response: { out_peers: f.u32() },
  }),
};
