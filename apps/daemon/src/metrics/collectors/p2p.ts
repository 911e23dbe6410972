import type { ConnectionInfo, P2pNode, Zone } from '@monero-node/p2p';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

const DIRECTIONS = ['in', 'out'] as const;
const ZONES: readonly Zone[] = ['public', 'tor', 'i2p', 'libp2p'];
/** By `ConnectionInfo.addressType`. */
const ZONE_OF_TYPE: readonly Zone[] = ['libp2p', 'public', 'public', 'i2p', 'tor'];

export type P2pSources = Pick<
  P2pNode,
  'connections' | 'reachability' | 'netStats' | 'banCount' | 'whiteCount' | 'grayCount'
>;

/** Returns the collector of the figures about the peer-to-peer network. */
export function p2pCollector(metrics: Instruments['p2p'], p2p: P2pSources): Collector {
  return () => {
    const peers = p2p.connections().filter(({ state }) => state !== 'before_handshake');
    for (const direction of DIRECTIONS) {
      for (const zone of ZONES) {
        const count = peers.filter((peer) => isOf(peer, direction, zone)).length;
        metrics.peers.set({ direction, zone }, count);
      }
    }
    const { mapping, networks } = p2p.reachability();
    for (const { zone, last } of networks) metrics.lastIncoming.set({ zone }, last ?? 0);
    if (mapping !== undefined) metrics.portMapped.set(mapping.kind === 'mapped' ? 1 : 0);
    metrics.known.set({ list: 'white' }, p2p.whiteCount);
    metrics.known.set({ list: 'gray' }, p2p.grayCount);
    const { bytesIn, bytesOut } = p2p.netStats;
    setTotals(metrics.traffic, [
      [{ direction: 'in' }, bytesIn],
      [{ direction: 'out' }, bytesOut],
    ]);
    metrics.bans.set(p2p.banCount);
  };
}

function isOf(peer: ConnectionInfo, direction: 'in' | 'out', zone: Zone): boolean {
  return peer.incoming === (direction === 'in') && ZONE_OF_TYPE[peer.addressType] === zone;
}
