export type { ChainForP2p } from './chain.ts';
export * from './levin/index.ts';
export { InvokeError, LevinConnection } from './levin/connection.ts';
export type { LevinAnswer, LevinConnectionOptions, LevinHandler } from './levin/connection.ts';
export { formatAddress, parseAddress, parseHostPort } from './net/address.ts';
export type { AddressKind, HostPort, NetAddress, Zone } from './net/address.ts';
export { formatSocksEndpoint, parseSocksEndpoint } from './net/socks-endpoint.ts';
export type { SocksEndpoint } from './net/socks-endpoint.ts';
export { TokenBucket } from './net/token-bucket.ts';
export type { RateLimiters } from './net/token-bucket.ts';
export { Libp2pOptionError, checkLibp2pListen, parseLibp2pPeer } from './libp2p/addresses.ts';
export { P2pNode } from './node.ts';
export type { P2pDependencies } from './node.ts';
export type { TxtResolver } from './peers/dns-blocklist.ts';
export type { Resolver } from './peers/seeds.ts';
export type { ReceivedTransactions, RelayBatch, RelayMethod, TxRelay } from './relay/tx-relay.ts';
export { createSocksTransport } from './transport/socks.ts';
export { createTcpTransport } from './transport/tcp.ts';
export type {
  StreamHandlers,
  Transport,
  TransportListener,
  TransportStream,
} from './transport/transport.ts';
export type {
  BanEntry,
  ConnectionInfo,
  ConnectionState,
  Libp2pOptions,
  NetStats,
  P2pEvents,
  P2pNodeInfo,
  P2pOptions,
  PeerEntry,
  RateLimits,
  SyncInfo,
  SyncProgress,
  SyncSpanInfo,
} from './types.ts';
export { ZoneOptionError, anonymityZones, checkPeersReachable } from './zones/zone-options.ts';
export type {
  AnonymityZone,
  AnonymityZoneOptions,
  AnonymousInbound,
} from './zones/zone-options.ts';
