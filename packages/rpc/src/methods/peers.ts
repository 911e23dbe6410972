import type { PeerEntry, PortMappingState } from '@monero-node/p2p';
import type { PeerAnswer, PublicNodeAnswer } from '@monero-node/rpc-schema';
import { RpcStatus } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';
import { connectionAnswer } from '../peers/connection-info.ts';
import { shownPeers } from '../peers/shown-peers.ts';

/** Returns the open connections to peers. */
const getConnections: HandlerOf<'getConnections'> = (_request, { services: { p2p } }) => ({
  connections: p2p.connections().map(connectionAnswer),
});

/** Returns the state of the synchronization: peers and the spans of blocks being downloaded. */
const syncInfo: HandlerOf<'syncInfo'> = (_request, { services: { chain, p2p } }) => {
  const info = p2p.syncInfo();
  return {
    height: chain.height,
    next_needed_pruning_seed: info.nextNeededPruningStripe,
    overview: info.overview,
    peers: info.peers.map((peer) => ({ info: connectionAnswer(peer) })),
    spans: info.spans.map((span) => ({
      connection_id: span.connectionId,
      nblocks: span.nblocks,
      rate: Math.round(span.rate),
      remote_address: span.remoteAddress,
      size: span.size,
      speed: Math.round(span.speed),
      start_block_height: span.startBlockHeight,
    })),
    target_height: p2p.synchronized ? 0 : info.targetHeight,
  };
};

/** Returns the white and gray peer lists. */
const getPeerList: HandlerOf<'getPeerList'> = (request, { services: { p2p } }) => {
  const { white, gray } = p2p.peerLists();
  const filter = { publicOnly: request.public_only, includeBlocked: request.include_blocked };
  return {
    gray_list: shownPeers(p2p, gray, filter).map(peerAnswer),
    white_list: shownPeers(p2p, white, filter).map(peerAnswer),
  };
};

function peerAnswer(peer: PeerEntry): PeerAnswer {
  return {
    host: peer.host,
    id: peer.id,
    ip: peer.ip,
    last_seen: peer.lastSeen,
    port: peer.port,
    pruning_seed: peer.pruningSeed,
    rpc_credits_per_hash: peer.rpcCreditsPerHash,
    rpc_port: peer.rpcPort,
  };
}

/** Returns the known peers that offer a public RPC. */
const getPublicNodes: HandlerOf<'getPublicNodes'> = (request, { services: { p2p } }) => {
  const { white, gray } = p2p.peerLists();
  const filter = { publicOnly: true, includeBlocked: request.include_blocked };
  const nodes = (peers: readonly PeerEntry[]) =>
    shownPeers(p2p, peers, filter)
      .filter((peer) => peer.rpcPort !== 0)
      .map(publicNode);
  return { gray: request.gray ? nodes(gray) : [], white: request.white ? nodes(white) : [] };
};

function publicNode(peer: PeerEntry): PublicNodeAnswer {
  return {
    host: peer.host,
    last_seen: peer.lastSeen,
    rpc_credits_per_hash: peer.rpcCreditsPerHash,
    rpc_port: peer.rpcPort,
  };
}

/** Returns the bytes and messages exchanged with peers since the start. */
const getNetStats: HandlerOf<'getNetStats'> = (_request, { services: { node, p2p } }) => {
  const { bytesIn, bytesOut, packetsIn, packetsOut } = p2p.netStats;
  return {
    start_time: node.startTime,
    total_bytes_in: bytesIn,
    total_bytes_out: bytesOut,
    total_packets_in: packetsIn,
    total_packets_out: packetsOut,
  };
};

/** Returns whether and when peers have come to this node. */
const getReachability: HandlerOf<'getReachability'> = (_request, { services: { p2p } }) => {
  const { closedBy, mapping, networks, ownAddresses, port } = p2p.reachability();
  return {
    addresses: [...ownAddresses],
    closed_by: closedBy,
    mapping: mapping && mappingAnswer(mapping),
    networks: networks.map(({ connected, first, last, zone }) => ({
      connected,
      first,
      last,
      network: zone,
    })),
    port,
  };
};

function mappingAnswer(mapping: PortMappingState) {
  const isMapped = mapping.kind === 'mapped';
  return {
    external_host: isMapped ? mapping.externalHost : undefined,
    protocol: isMapped ? mapping.protocol : undefined,
    state: mapping.kind,
    why: mapping.kind === 'failed' ? mapping.why : undefined,
  };
}

/** KiB per second. */
const getLimit: HandlerOf<'getLimit'> = (_request, { services: { p2p } }) => ({
  limit_down: p2p.limits.down,
  limit_up: p2p.limits.up,
});

/**
 * Sets the bandwidth limits in KiB per second; -1 sets the default, 0 changes nothing. Throws RpcStatus for values
 * below -1; a bad `limit_up` leaves `limit_down` changed, as in monerod.
 */
const setLimit: HandlerOf<'setLimit'> = (request, { services: { p2p } }) => {
  const down = checkedLimit(request.limit_down);
  if (down !== undefined) p2p.setLimits({ down });
  const up = checkedLimit(request.limit_up);
  if (up !== undefined) p2p.setLimits({ up });
  return { limit_down: p2p.limits.down, limit_up: p2p.limits.up };
};

function checkedLimit(limit: bigint): number | undefined {
  if (limit < -1n) throw new RpcStatus('Invalid parameter');
  return limit === 0n ? undefined : Math.min(Number(limit), Number.MAX_SAFE_INTEGER);
}

const UNLIMITED = 0xffffffff;

/**
 * Sets the limit on outgoing connections. An empty request sets it to 0, as in monerod; `set: false` only returns it.
 */
const outPeers: HandlerOf<'outPeers'> = (request, { services: { p2p } }) => {
  if (request.set) p2p.setOutPeers(request.out_peers);
  return { out_peers: toU32(p2p.outPeers) };
};

/** Sets the limit on incoming connections; 2^32 - 1 means no limit. `set: false` only returns it. */
const inPeers: HandlerOf<'inPeers'> = (request, { services: { p2p } }) => {
  if (request.set) p2p.setInPeers(request.in_peers === UNLIMITED ? -1 : request.in_peers);
  return { in_peers: toU32(p2p.inPeers) };
};

function toU32(count: number): number {
  return count < 0 ? UNLIMITED : count;
}

export const PEER_ROWS = {
  getConnections: { handler: getConnections, answeredBy: 'main' },
  syncInfo: { handler: syncInfo, answeredBy: 'main' },
  getPeerList: { handler: getPeerList, answeredBy: 'main' },
  getPublicNodes: { handler: getPublicNodes, answeredBy: 'main' },
  getNetStats: { handler: getNetStats, answeredBy: 'main' },
  getReachability: { handler: getReachability, answeredBy: 'main' },
  getLimit: { handler: getLimit, answeredBy: 'main', isForwarded: true },
  setLimit: { handler: setLimit, answeredBy: 'main' },
  outPeers: { handler: outPeers, answeredBy: 'main' },
  inPeers: { handler: inPeers, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
