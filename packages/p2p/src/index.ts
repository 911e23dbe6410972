export type { ChainForP2p } from './contract/chain-for-p2p.ts';
export * from './levin/index.ts';
export { InvokeError } from './levin/pending-invokes.ts';
export { LevinConnection } from './levin/connection.ts';
export type { LevinAnswer, LevinHandler } from './levin/handler.ts';
export type { LevinConnectionOptions } from './levin/connection.ts';
export { formatPeerAddress } from './net/address.ts';
export { isPeerAddress, parsePeerAddress, parseHostPort } from './net/parse-address.ts';
export type { NetAddressKind, NetAddress, Zone } from './net/address.ts';
export type { HostPort } from './net/parse-address.ts';
export { parseSocksEndpoint } from './net/socks-endpoint.ts';
export type { SocksEndpoint } from './net/socks-endpoint.ts';
export type { RateLimiters } from './net/rate-limiters.ts';
export { Libp2pOptionError } from './libp2p/option-error.ts';
export { createP2pNode } from './build-node.ts';
export type { P2pDependencies } from './build-node.ts';
export { P2pNode } from './node.ts';
export type { TxtResolver } from './peers/bans/dns-blocklist.ts';
export type { Resolver } from './peers/seeds/seeds.ts';
export type {
  ReceivedTransactions,
  RelayBatch,
  PeerRelayMethod,
  PoolForP2p,
} from './contract/pool-for-p2p.ts';
export { createSocksTransport } from './transport/socks.ts';
export { createTcpTransport } from './transport/tcp.ts';
export type {
  StreamHandlers,
  Transport,
  TransportListener,
  TransportStream,
} from './transport/transport.ts';
export type { AddingFailure, P2pEvents, SyncProgress } from './contract/p2p-events.ts';
export type { P2pNodeInfo } from './node-info.ts';
export type { RateLimits } from './options/adjustable-limits.ts';
export type { BanEntry } from './peers/bans/bans.ts';
export { droppedText, parseBanLines } from './peers/bans/ban-lines.ts';
export type { DroppedLines } from './peers/bans/ban-lines.ts';
export type { BanTarget } from './net/ban-target.ts';
export type { PeerEntry } from './peers/list/peer-entry.ts';
export type { ConnectionInfo } from './session/connection-info.ts';
export type { FixedPeerInfo } from './session/fixed-peers.ts';
export type { IncomingInfo, Reachability } from './session/reachability.ts';
export type { PortMappingState } from './port-mapping/gateway.ts';
export type { OwnAddress } from './session/own-addresses.ts';
export type { SyncInfo, SyncSpanInfo } from './session/reports.ts';
export type { NetStats } from './session/traffic.ts';
export type { ConnectionState } from './sync/sync-peer.ts';
export { DEFAULT_P2P_OPTIONS, resolveP2pOptions } from './options/options.ts';
export type {
  Libp2pOptions,
  P2pNodeOptions,
  P2pOptions,
  PortMappingMode,
} from './options/options.ts';
export { ZoneOptionError, anonymityZones, checkPeersReachable } from './options/zone-options.ts';
export type {
  AnonymityZone,
  AnonymityZoneOptions,
  AnonymousInbound,
} from './options/zone-options.ts';
export { crawl } from './visit/crawl.ts';
export type { CrawledNode, CrawlOptions } from './visit/crawl.ts';
export { handshake } from './visit/handshake.ts';
export type { HandshakeOptions, NodeIntroduction } from './visit/handshake.ts';
export { HandshakeError } from './visit/handshake-error.ts';
export type { HandshakeErrorCode } from './visit/handshake-error.ts';
export type { KnownPeer } from './peers/list/known-peer.ts';
