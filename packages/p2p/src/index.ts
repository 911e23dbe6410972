export type {
  BanEntry,
  ConnectionInfo,
  ConnectionState,
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
