import type { HandlerOf } from '../method.ts';
import type { PeerEntry } from '@monero-node/p2p';
import type { PublicNodeAnswer } from '@monero-node/rpc-schema';
import { shownPeers } from '../peers/shown-peers.ts';

/** Returns the known peers that offer a public RPC. */
export const getPublicNodes: HandlerOf<'getPublicNodes'> = (request, { p2p }) => {
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
