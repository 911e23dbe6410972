import type { PeerFacts, PeerRow } from '@monero-node/dashboard';
import type { ConnectionInfo } from '@monero-node/p2p';

/** Most peers that are listed. */
const MOST_ROWS = 64;
/** By `ConnectionInfo.addressType`. */
const ZONES = ['libp2p', 'IPv4', 'IPv6', 'I2P', 'Tor'];
const ID_LENGTH = 12;

/** Returns the facts about the connected peers: outgoing ones first, then those connected longest. */
export function peerSection(connections: readonly ConnectionInfo[]): PeerFacts {
  const open = connections.filter(({ state }) => state !== 'before_handshake');
  const outgoing = open.filter(({ incoming }) => !incoming).length;
  const rows = [...open]
    .sort((a, b) => Number(a.incoming) - Number(b.incoming) || b.liveTime - a.liveTime)
    .slice(0, MOST_ROWS)
    .map(peerRow);
  return { incoming: open.length - outgoing, outgoing, rows };
}

function peerRow(peer: ConnectionInfo): PeerRow {
  const { roundTripMs } = peer;
  return {
    id: peer.connectionId.slice(0, ID_LENGTH),
    address: peer.address,
    zone: ZONES[peer.addressType] ?? '',
    incoming: peer.incoming,
    roundTrip: roundTripMs === undefined ? null : Math.round(roundTripMs * 10) / 10,
    height: peer.height,
    isSynchronizing: peer.state === 'synchronizing',
    isPruned: peer.pruningSeed !== 0,
    age: peer.liveTime,
    bytesIn: peer.recvCount,
    bytesOut: peer.sendCount,
  };
}
