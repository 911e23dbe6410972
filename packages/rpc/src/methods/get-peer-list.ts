import type { PeerEntry } from '@monero-node/p2p';
import { shownPeers } from '../chain/peers.ts';
import { defineMethod } from '../method.ts';
import { f, omitDefault, withDefault } from '../wire/fields.ts';
import { defineTable, type OutputOf } from '../wire/kinds.ts';

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

export const getPeerList = defineMethod({
  paths: ['/get_peer_list'],
  summary: 'Lists known peers: those seen to work and those only heard of.',
  restricted: 'hidden',
  base: 'basic',
  request: { include_blocked: f.bool(), public_only: withDefault(f.bool(), true) },
  response: { gray_list: f.objects(PEER), white_list: f.objects(PEER) },
  handler: (request, { p2p }) => {
    const { white, gray } = p2p.peerLists();
    const filter = { publicOnly: request.public_only, includeBlocked: request.include_blocked };
    return {
      gray_list: shownPeers(p2p, gray, filter).map(peerAnswer),
      white_list: shownPeers(p2p, white, filter).map(peerAnswer),
    };
  },
});

function peerAnswer(peer: PeerEntry): OutputOf<(typeof PEER)['fields']> {
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
