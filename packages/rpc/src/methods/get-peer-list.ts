import type { HandlerOf } from '../method.ts';
import type { PeerEntry } from '@monero-node/p2p';
import type { PeerAnswer } from '@monero-node/rpc-schema';
import { shownPeers } from '../peers/shown-peers.ts';

/** Returns the white and gray peer lists. */
export const getPeerList: HandlerOf<'getPeerList'> = (request, { p2p }) => {
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
