import type { PeerEntry } from '@monero-node/p2p';
import { shownPeers } from '../chain/peers.ts';
import { defineMethod } from '../method.ts';
import { f, withDefault } from '../wire/fields.ts';
import { defineTable, type OutputOf } from '../wire/kinds.ts';

const PUBLIC_NODE = defineTable({
  host: f.text(),
  last_seen: f.u64(),
  rpc_credits_per_hash: f.u32(),
  rpc_port: f.u16(),
});

export const getPublicNodes = defineMethod({
  paths: ['/get_public_nodes'],
  summary: 'Lists known peers that offer their RPC to the public.',
  restricted: 'served',
  base: 'basic',
  request: { gray: f.bool(), include_blocked: f.bool(), white: withDefault(f.bool(), true) },
  response: { gray: f.objects(PUBLIC_NODE), white: f.objects(PUBLIC_NODE) },
  handler: (request, { p2p }) => {
    const { white, gray } = p2p.peerLists();
    const filter = { publicOnly: true, includeBlocked: request.include_blocked };
    const nodes = (peers: readonly PeerEntry[]) =>
      shownPeers(p2p, peers, filter)
        .filter((peer) => peer.rpcPort !== 0)
        .map(publicNode);
    return { gray: request.gray ? nodes(gray) : [], white: request.white ? nodes(white) : [] };
  },
});

function publicNode(peer: PeerEntry): OutputOf<(typeof PUBLIC_NODE)['fields']> {
  return {
    host: peer.host,
    last_seen: peer.lastSeen,
    rpc_credits_per_hash: peer.rpcCreditsPerHash,
    rpc_port: peer.rpcPort,
  };
}
