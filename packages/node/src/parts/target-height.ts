import type { ConnectionInfo, P2pNode } from '@monero-node/p2p';

/** Numbers of the networks whose peers do not synchronize: I2P and Tor. */
const ANONYMOUS = new Set([3, 4]);

export type PeerClaim = Pick<ConnectionInfo, 'addressType' | 'height' | 'incoming' | 'state'>;

/**
 * Returns the height that most outgoing peers claim; undefined when nobody claims one. The highest claim could be that of a
 * liar. Incoming peers, which choose this node and not the reverse, count only when there are no others.
 */
export function claimedHeight(peers: readonly PeerClaim[]): number | undefined {
  const open = peers.filter(
    ({ addressType, state }) => state !== 'before_handshake' && !ANONYMOUS.has(addressType),
  );
  const outgoing = open.filter(({ incoming }) => !incoming);
  const claims = (outgoing.length > 0 ? outgoing : open)
    .map((peer) => peer.height)
    .sort((a, b) => a - b);
  return claims[(claims.length - 1) >> 1];
}

/** Returns the height that a synchronization goes to, {@link claimedHeight}; 0 when nobody claims one or the node is synchronized. */
export function syncTarget(p2p: {
  readonly synchronized: P2pNode['synchronized'];
  connections(): readonly PeerClaim[];
}): number {
  return p2p.synchronized ? 0 : (claimedHeight(p2p.connections()) ?? 0);
}

/** Returns {@link claimedHeight}, or the own height if that is more or nobody claims one. */
export function targetHeight(height: number, peers: readonly PeerClaim[]): number {
  return Math.max(height, claimedHeight(peers) ?? 0);
}
