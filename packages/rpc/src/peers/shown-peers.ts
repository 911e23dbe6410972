import type { P2pNodeInfo, PeerEntry } from '@monero-node/p2p';

/** Which peers of a list to show. */
export interface PeerFilter {
  readonly publicOnly: boolean;
  readonly includeBlocked: boolean;
}

/** Leaves out peers of hidden networks and banned ones as asked. */
export function shownPeers(
  p2p: P2pNodeInfo,
  peers: readonly PeerEntry[],
  filter: PeerFilter,
): PeerEntry[] {
  return peers.filter(
    (peer) =>
      !(filter.publicOnly && isHiddenService(peer.host)) &&
      (filter.includeBlocked || p2p.banned(peer.host) === undefined),
  );
}

function isHiddenService(host: string): boolean {
  return /\.(onion|i2p)(:\d+)?$/.test(host);
}
