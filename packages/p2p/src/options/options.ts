import type { Network } from '@monero-node/consensus';
import type { SocksEndpoint } from '../net/socks-endpoint.ts';
import { DEFAULT_LIMITS, type LimitOptions } from './adjustable-limits.ts';
import type { AnonymityZoneOptions } from './zone-options.ts';

/** All options of the peer-to-peer node. Addresses are `host:port` or `[ipv6]:port`; the default port is the network's. */
export interface P2pOptions extends LimitOptions {
  /** Address to listen on. */
  readonly bindIp: string;
  /** Port to listen on; 0 lets the system choose (see `P2pNodeInfo.listenPort`). */
  readonly bindPort: number;
  /** Port announced to peers; 0 announces the port listened on. */
  readonly externalPort: number;
  /** Announce port 0, so that peers do not pass on our address. */
  readonly hideMyPort: boolean;
  /** Neither listen nor connect. */
  readonly offline: boolean;
  /** Never download blocks. */
  readonly noSync: boolean;
  /** The chain counts as synchronized from the start, as that of a private network's first node. */
  readonly startsSynchronized?: boolean;
  /** Accept private addresses in the peer lists, and ping them back. */
  readonly allowLocalIp: boolean;
  /** Keep peers on loopback addresses in the peer lists, each port a node of its own: for private networks on one machine. */
  readonly allowLoopback?: boolean;
  readonly addPeers: string[];
  readonly priorityNodes: string[];
  /** When not empty, no other peers are dialled. */
  readonly exclusiveNodes: string[];
  /** Asked once for their peer list, then disconnected. */
  readonly seedNodes: string[];
  /** Pad messages with transactions, so that their length reveals less about the content. */
  readonly padTransactions?: boolean;
  /** RPC port announced to peers; 0 announces none. */
  readonly rpcPort: number;
  /** Blocks per request; 0 is the default rule. */
  readonly blockSyncSize: number;
  /** Download without prunable data the blocks that a pruned node would prune anyway, where their weights are known. */
  readonly syncPrunedBlocks?: boolean;
  /** Bytes of downloaded blocks that may wait for verification; 0 is the default, 100 MiB. */
  readonly blockDownloadMaxSize: number;
  /** Directory for the peer list file and the key of libp2p; neither is kept when absent. */
  readonly dataDir?: string | undefined;
  /** Lines of a ban list, each with one IP or CIDR subnet; `#` starts a comment. */
  readonly banList?: readonly string[] | undefined;
  /** Ban the addresses of the network's ban lists in the DNS. */
  readonly dnsBlocklist?: boolean;
  /** Connect to public peers through this proxy. No port is announced then, and no peer is pinged back. */
  readonly proxy?: SocksEndpoint | undefined;
  /** Use the DNS although there is a proxy, which DNS queries bypass. */
  readonly proxyAllowDnsLeaks?: boolean;
  /** Tor and I2P. With at least one of them, transactions of this node's clients are sent nowhere but there. */
  readonly anonymityZones?: readonly AnonymityZoneOptions[];
  /** Also listen on IPv6 and connect to IPv6 peers. */
  readonly useIpv6?: boolean;
  readonly bindIpv6: string;
  /** The same as for IPv4 by default. */
  readonly bindPortIpv6?: number;
  /** Start even when the IPv4 port cannot be listened on. */
  readonly ignoreIpv4?: boolean;
  /** Connections over libp2p; none when absent. */
  readonly libp2p?: Libp2pOptions | undefined;
  /** How the router is asked to forward the port for peers to this machine; it is not asked when absent. */
  readonly portMapping?: PortMappingMode | undefined;
}

/** The values of {@link PortMappingMode}. */
export const PORT_MAPPING_MODES = ['upnp', 'nat-pmp', 'auto'] as const;

/** With which protocol a router is asked. `auto`: with one after the other, until it answers. */
export type PortMappingMode = (typeof PORT_MAPPING_MODES)[number];

/** Options of `createP2pNode`; those that are absent are those of {@link DEFAULT_P2P_OPTIONS}. */
export type P2pNodeOptions = Partial<P2pOptions>;

/**
 * The options of a public node that knows no peers but the network's seeds. `bindPort` is the network's by default. The daemon's
 * table of options takes its defaults from here.
 */
export const DEFAULT_P2P_OPTIONS = {
  ...DEFAULT_LIMITS,
  bindIp: '0.0.0.0',
  bindIpv6: '::',
  externalPort: 0,
  hideMyPort: false,
  offline: false,
  noSync: false,
  allowLocalIp: false,
  addPeers: [] as string[],
  priorityNodes: [] as string[],
  exclusiveNodes: [] as string[],
  seedNodes: [] as string[],
  rpcPort: 0,
  blockSyncSize: 0,
  blockDownloadMaxSize: 0,
} as const satisfies Omit<P2pOptions, 'dataDir' | 'bindPort'>;

/** Fills in the defaults. Members that are undefined count as absent. */
export function resolveP2pOptions(options: P2pNodeOptions, network: Network): P2pOptions {
  const given: P2pNodeOptions = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  return { ...DEFAULT_P2P_OPTIONS, bindPort: network.ports.p2p, ...given };
}

export { DEFAULT_OUT_PEERS, DEFAULT_RATE } from './adjustable-limits.ts';

/** Connections over libp2p, in addition to those of the ordinary network. */
export interface Libp2pOptions {
  /** Multiaddresses to listen on: `/ip4/…/tcp/PORT`, with `/ws` for WebSocket. */
  readonly listen: readonly string[];
  /** Multiaddresses of peers to stay connected to, each ending in `/p2p/PEER-ID`. */
  readonly peers: readonly string[];
  /** Find peers on the local network, and be found by them. */
  readonly mdns: boolean;
}
