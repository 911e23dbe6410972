import type { MillisecondClock, RandomSource } from '@monero-node/base';
import type { Network } from '@monero-node/consensus';
import type { Libp2pTransport } from '../libp2p/transport.ts';
import { DEFAULT_OUT_PEERS, type AdjustableLimits } from '../options/adjustable-limits.ts';
import type { P2pOptions } from '../options/options.ts';
import type { AnonymityZoneOptions } from '../options/zone-options.ts';
import { FailedHosts } from '../peers/failed-hosts.ts';
import { Identity } from '../peers/identity.ts';
import { PeerList } from '../peers/list/peer-list.ts';
import { createSocksTransport } from '../transport/socks.ts';
import type { Transport } from '../transport/transport.ts';
import { Zones } from './zones.ts';
import type { NetworkZone } from './zones.ts';

export interface BuildZonesDeps {
  options: P2pOptions;
  network: Network;
  limits: AdjustableLimits;
  /** The transport to public peers when there is no proxy. */
  transport: Transport;
  /** The transport of the libp2p zone, if there is one. */
  libp2p: Libp2pTransport | undefined;
  /** The port at which public peers can reach us; 0 when they cannot. */
  announcedPort: () => number;
  now: MillisecondClock;
  /** In [0, 1). */
  random: RandomSource;
}

/** Returns the zones that the options describe. */
export function buildZones(deps: BuildZonesDeps): Zones {
  const hidden = deps.options.anonymityZones ?? [];
  const libp2p = deps.libp2p ? [libp2pZone(deps.libp2p, deps)] : [];
  return new Zones([publicZone(deps), ...hidden.map((zone) => hiddenZone(zone, deps)), ...libp2p]);
}

/** Behind a proxy peers cannot connect to our visible address, so no port is announced. */
function publicZone(deps: BuildZonesDeps): NetworkZone {
  const { announcedPort, network, options, random, limits } = deps;
  const { allowLocalIp, allowLoopback = false, proxy, rpcPort } = options;
  return {
    zone: 'public',
    list: new PeerList({ allowLocalIp, allowLoopback, random }),
    failures: new FailedHosts(deps.now),
    identity: new Identity({
      network,
      rpcPort: proxy ? 0 : rpcPort,
      announcedPort: proxy ? () => 0 : announcedPort,
    }),
    transport: proxy ? createSocksTransport(proxy) : deps.transport,
    proxied: proxy !== undefined,
    ownAddress: undefined,
    noise: false,
    inPeers: () => limits.inPeers,
    outPeers: () => limits.outPeers,
  };
}

function hiddenZone(zone: AnonymityZoneOptions, deps: BuildZonesDeps): NetworkZone {
  const { proxy, inbound } = zone;
  const inPeers = inbound ? inbound.maxConnections : 0;
  return {
    zone: zone.zone,
    list: new PeerList({ allowLocalIp: false, random: deps.random }),
    failures: new FailedHosts(deps.now),
    identity: Identity.hidden(deps.network),
    transport: proxy && createSocksTransport(proxy),
    proxied: true,
    ownAddress: inbound?.address,
    noise: zone.noise && proxy !== undefined,
    inPeers: () => (inPeers < 0 ? Infinity : inPeers),
    outPeers: () => (zone.outPeers < 0 ? DEFAULT_OUT_PEERS : zone.outPeers),
  };
}

/**
 * Peers from the options or found on the local network. No addresses are exchanged. The id differs from the public one,
 * so that peers of the two networks cannot recognize the same node.
 */
function libp2pZone(transport: Libp2pTransport, deps: BuildZonesDeps): NetworkZone {
  const { network, random, limits } = deps;
  return {
    zone: 'libp2p',
    list: new PeerList({ allowLocalIp: false, random }),
    failures: new FailedHosts(deps.now),
    identity: new Identity({ network, announcedPort: () => 0, rpcPort: 0 }),
    transport,
    proxied: false,
    ownAddress: undefined,
    noise: false,
    fixedPeers: () => transport.peers,
    inPeers: () => limits.inPeers,
    outPeers: () => limits.outPeers,
  };
}
