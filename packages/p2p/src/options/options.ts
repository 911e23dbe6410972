import type { SocksEndpoint } from '../net/socks-endpoint.ts';
import type { AnonymityZoneOptions } from './zone-options.ts';

/** Settings of the peer-to-peer node. Addresses are `host:port` or `[ipv6]:port`; a missing port means the network's. */
export interface P2pOptions {
  /** Address to listen on. */
  bindIp: string;
  /** Port to listen on; 0 lets the system choose (see {@link P2pNodeInfo.listenPort}). */
  bindPort: number;
  /** Port announced to peers instead of the listening one; 0 announces the listening one. */
  externalPort: number;
  /** Announce port 0, so that peers don't hand our address around. */
  hideMyPort: boolean;
  /** Neither listen nor dial. */
  offline: boolean;
  /** Never download blocks. */
  noSync: boolean;
  /** Private addresses may enter the peer lists and be pinged back. */
  allowLocalIp: boolean;
  addPeers: string[];
  priorityNodes: string[];
  /** When not empty, only these are dialled. */
  exclusiveNodes: string[];
  /** Asked for their peer list once, then left. */
  seedNodes: string[];
  /** Wanted outgoing connections; -1 is the default, 12. */
  outPeers: number;
  /** Most incoming connections; -1 is unlimited. */
  inPeers: number;
  maxConnectionsPerIp: number;
  /** Fill messages with transactions up, so that their length tells less. */
  padTransactions?: boolean;
  /** RPC port announced to peers; 0 announces none. */
  rpcPort: number;
  /** Blocks per request; 0 is the default rule. */
  blockSyncSize: number;
  /** Download pruned what a pruned node would drop anyway, where block weights are known. */
  syncPrunedBlocks?: boolean;
  /** Bytes of downloaded blocks that may wait for verification; 0 is the default, 100 MiB. */
  blockDownloadMaxSize: number;
  /** Units of 1024 bytes a second over all connections; -1 is the default. */
  limitRateUp: number;
  limitRateDown: number;
  /** Directory for the peer list file. */
  dataDir: string;
  /** Lines of a ban list: one IP or CIDR each, `#` starts a comment. */
  banList?: string[] | undefined;
  /** Add the addresses of the network's ban lists in the DNS. */
  dnsBlocklist?: boolean;
  /** Reach public peers through this proxy: no port is announced, and nobody is asked back. */
  proxy?: SocksEndpoint | undefined;
  /** Ask the DNS, past the proxy. */
  proxyAllowDnsLeaks?: boolean;
  /** Tor and I2P; with one of them transactions of this node's clients go only there. */
  anonymityZones?: readonly AnonymityZoneOptions[];
  /** Listen on IPv6 too, and connect to IPv6 peers. */
  useIpv6?: boolean;
  /** All addresses by default. */
  bindIpv6?: string | undefined;
  /** The same as for IPv4 by default. */
  bindPortIpv6?: number;
  /** Go on when the IPv4 port cannot be had. */
  ignoreIpv4?: boolean;
  /** Links over libp2p; none unless given. */
  libp2p?: Libp2pOptions | undefined;
}

/** Which peers are met over libp2p, besides the ordinary network. */
export interface Libp2pOptions {
  /** Multiaddresses to listen on: `/ip4/…/tcp/PORT`, with `/ws` for WebSocket. */
  readonly listen: readonly string[];
  /** Multiaddresses of peers to stay connected to, each ending in `/p2p/PEER-ID`. */
  readonly peers: readonly string[];
  /** Find peers of the local network, and be found by them. */
  readonly mdns: boolean;
}
