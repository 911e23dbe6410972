import type { AdjustableLimits } from '../options/adjustable-limits.ts';
import { closedToPeers } from '../options/closed-to-peers.ts';
import type { P2pOptions } from '../options/options.ts';
import type { Zone } from '../net/address.ts';
import type { IncomingRecord } from '../zones/incoming-record.ts';
import type { Zones } from '../zones/zones.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { PortMappingState } from '../port-mapping/gateway.ts';
import type { PortMapping } from '../port-mapping/port-mapping.ts';
import type { OwnAddress, OwnAddresses } from './own-addresses.ts';

/** Who has come in from a network. */
export interface IncomingInfo {
  readonly zone: Zone;
  /** Peers that are connected now. */
  readonly connected: number;
  /** Unix seconds of the first peer that came in, over restarts; undefined: nobody ever has. */
  readonly first: number | undefined;
  /** When one was connected last; undefined in the same case. */
  readonly last: number | undefined;
}

/** Whether peers can come to this node, as far as it knows. */
export interface Reachability {
  /** The option because of which nobody of the public network is to come in; undefined when anybody is. */
  readonly closedBy: string | undefined;
  /** TCP port at which peers of the public network are to come in; 0 while not listening. */
  readonly port: number;
  /** The networks in which this node takes part, the public one first. */
  readonly networks: readonly IncomingInfo[];
  /** The addresses at which peers have reached this node since the start, as others tell. */
  readonly ownAddresses: readonly OwnAddress[];
  /** Whether the router forwards the port; undefined when it is not asked. */
  readonly mapping: PortMappingState | undefined;
}

export interface ReachabilityDependencies {
  readonly options: P2pOptions;
  readonly chain: Pick<ChainForP2p, 'network'>;
  readonly limits: AdjustableLimits;
  readonly listeners: { readonly port: number };
  readonly incoming: IncomingRecord;
  readonly ownAddresses: OwnAddresses;
  readonly portMapping: PortMapping;
  readonly zones: Zones;
}

/** Reports whether peers can come to this node. */
export function reachability(deps: ReachabilityDependencies): Reachability {
  const { chain, incoming, limits, listeners, options, ownAddresses, portMapping, zones } = deps;
  const times = incoming.times();
  return {
    closedBy: closedToPeers({ ...options, inPeers: limits.inPeers }, chain.network),
    port: listeners.port === 0 ? 0 : options.externalPort || listeners.port,
    networks: [...zones].map(({ zone }) => ({
      zone,
      connected: incoming.connected(zone),
      first: times[zone]?.first,
      last: times[zone]?.last,
    })),
    ownAddresses: ownAddresses.list(),
    mapping: portMapping.state,
  };
}
