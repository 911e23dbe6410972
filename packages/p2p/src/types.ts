import type { SocksEndpoint } from './net/socks-endpoint.ts';
import type { AnonymityZoneOptions } from './zones/zone-options.ts';

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
  banList?: string[];
  /** Add the addresses of the network's ban lists in the DNS. */
  dnsBlocklist?: boolean;
  /** Reach public peers through this proxy: no port is announced, and nobody is asked back. */
  proxy?: SocksEndpoint;
  /** Ask the DNS, past the proxy. */
  proxyAllowDnsLeaks?: boolean;
  /** Tor and I2P; with one of them transactions of this node's clients go only there. */
  anonymityZones?: readonly AnonymityZoneOptions[];
  /** Listen on IPv6 too, and connect to IPv6 peers. */
  useIpv6?: boolean;
  /** All addresses by default. */
  bindIpv6?: string;
  /** The same as for IPv4 by default. */
  bindPortIpv6?: number;
  /** Go on when the IPv4 port cannot be had. */
  ignoreIpv4?: boolean;
  /** Links over libp2p; none unless given. */
  libp2p?: Libp2pOptions;
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

export type ConnectionState = 'before_handshake' | 'synchronizing' | 'standby' | 'normal';

/** What `get_connections` and `sync_info` report about a connection (rpc.md `connection_info`). */
export interface ConnectionInfo {
  /** `host:port`. */
  address: string;
  /** 0 libp2p, 1 IPv4, 2 IPv6, 3 I2P, 4 Tor. */
  addressType: number;
  /** KiB/s since the connection was made. */
  avgDownload: number;
  avgUpload: number;
  /** 32 hex digits. */
  connectionId: string;
  /** KiB/s now. */
  currentDownload: number;
  currentUpload: number;
  /** Chain height the peer claims. */
  height: number;
  host: string;
  incoming: boolean;
  /** Empty unless the peer has an IP address. */
  ip: string;
  /** Seconds. */
  liveTime: number;
  localIp: boolean;
  localhost: boolean;
  /** 16 hex digits. */
  peerId: string;
  port: string;
  pruningSeed: number;
  /** Bytes. */
  recvCount: number;
  /** Seconds. */
  recvIdleTime: number;
  rpcCreditsPerHash: number;
  rpcPort: number;
  sendCount: number;
  sendIdleTime: number;
  state: ConnectionState;
  supportFlags: number;
}

/** One entry of the white or gray list, as `/get_peer_list` reports it. */
export interface PeerEntry {
  id: bigint;
  host: string;
  /** IPv4 as a number whose low byte is the first octet; 0 for any other kind of address. */
  ip: number;
  port: number;
  /** Unix seconds; 0 is unknown. */
  lastSeen: number;
  pruningSeed: number;
  rpcPort: number;
  rpcCreditsPerHash: number;
}

/** A banned host or subnet (`host` is then in CIDR form). */
export interface BanEntry {
  host: string;
  /** As in {@link PeerEntry}; 0 for a subnet. */
  ip: number;
  /** Seconds left. */
  seconds: number;
}

/** A span of the download queue, as `sync_info` reports it. */
export interface SyncSpanInfo {
  startBlockHeight: number;
  nblocks: number;
  /** Id of the connection it was asked from, 32 hex digits. */
  connectionId: string;
  /** Bytes a second; 0 while not received. */
  rate: number;
  /** Percent of the fastest connection's speed. */
  speed: number;
  /** Bytes. */
  size: number;
  remoteAddress: string;
}

export interface SyncInfo {
  height: number;
  /** 0 when synchronized or unknown. */
  targetHeight: number;
  /** Stripe 1..8, or 0 when any peer will do. */
  nextNeededPruningStripe: number;
  /** `[` … `]`, one character a span; `[]` when empty. */
  overview: string;
  peers: ConnectionInfo[];
  spans: SyncSpanInfo[];
}

export interface NetStats {
  /** Unix seconds. */
  startTime: number;
  bytesIn: number;
  bytesOut: number;
  packetsIn: number;
  packetsOut: number;
}

/** Units of 1024 bytes a second. */
export interface RateLimits {
  up: number;
  down: number;
}

export interface SyncProgress {
  height: number;
  target: number;
  /** Over the last ten seconds or so. */
  blocksPerSecond: number;
}

export type P2pEvents = {
  /** The chain caught up with the peers (again). */
  synchronized: [];
  /** Blocks were added while synchronizing. */
  progress: [SyncProgress];
  /**
   * Blocks of peers are about to be verified, and are so no longer: where monerod pauses its miner and lets it go on
   * (`src/cryptonote_protocol/cryptonote_protocol_handler.inl`). Verifications may overlap.
   */
  verifying: [isVerifying: boolean];
};

/** What the rest of the node may ask of the peer-to-peer part; `P2pNode` implements it. */
export interface P2pNodeInfo {
  /** The port really listened on; 0 while not listening. */
  readonly listenPort: number;
  /** 0 = synchronized or unknown. */
  readonly targetHeight: number;
  readonly synchronized: boolean;
  readonly incomingCount: number;
  readonly outgoingCount: number;
  readonly whiteCount: number;
  readonly grayCount: number;
  readonly netStats: NetStats;
  readonly limits: RateLimits;
  /** Wanted outgoing and allowed incoming connections. */
  readonly outPeers: number;
  readonly inPeers: number;
  connections(): ConnectionInfo[];
  syncInfo(): SyncInfo;
  peerLists(): { white: PeerEntry[]; gray: PeerEntry[] };
  bans(): BanEntry[];
  /** Seconds left of the ban that covers `host`, or undefined. Throws nothing. */
  banned(host: string): number | undefined;
  /** Bans an address or CIDR subnet. Returns false when the text is neither. */
  ban(host: string, seconds: number): boolean;
  unban(host: string): boolean;
  /** In units of 1024 bytes a second; an absent direction stays as it is, -1 sets the default. */
  setLimits(limits: Partial<RateLimits>): void;
  /** -1 sets the default of 12. */
  setOutPeers(count: number): void;
  /** -1 is unlimited. */
  setInPeers(count: number): void;
  /** Announces the main-chain block of that height to all peers. */
  relayBlock(height: number): void;
}
