import { ADDRESS_TYPES, formatPeerAddress } from '../net/address.ts';
import { privateRange } from '../net/ip-address.ts';
import type { Peer } from '../peers/peer.ts';
import type { ConnectionState, PeerSyncState } from '../sync/sync-peer.ts';

const KIB = 1024;

/** The report on a connection in `get_connections` and `sync_info`. */
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
  /** KiB/s over the last ten seconds. */
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
  /** Milliseconds from a request to the answer, at best; undefined before the first answer. */
  roundTripMs?: number | undefined;
  rpcCreditsPerHash: number;
  rpcPort: number;
  sendCount: number;
  sendIdleTime: number;
  state: ConnectionState;
  supportFlags: number;
}

/**
 * Returns the report on a connection.
 * @param now milliseconds
 */
export function connectionInfo(peer: Peer, sync: PeerSyncState, now: number): ConnectionInfo {
  const { address, connection, identity } = peer;
  const hasIp = address.kind === 'ipv4' || address.kind === 'ipv6';
  const range = privateRange(address);
  const liveTime = secondsSince(connection.startedAt, now);
  const average = (bytes: number): number =>
    liveTime === 0 ? 0 : Math.floor(bytes / liveTime / KIB);
  return {
    address: formatPeerAddress(address),
    addressType: ADDRESS_TYPES[address.kind],
    avgDownload: average(connection.bytesIn),
    avgUpload: average(connection.bytesOut),
    connectionId: peer.id,
    currentDownload: Math.floor(connection.speedDown.current / KIB),
    currentUpload: Math.floor(connection.speedUp.current / KIB),
    height: sync.height,
    host: address.host,
    incoming: peer.incoming,
    ip: hasIp ? address.host : '',
    liveTime,
    localIp: range === 'local',
    localhost: range === 'loopback',
    peerId: identity.peerId.toString(16).padStart(16, '0'),
    port: hasIp ? String(address.port) : '',
    pruningSeed: sync.pruningSeed,
    recvCount: connection.bytesIn,
    recvIdleTime: secondsSince(connection.lastReceive, now),
    roundTripMs: connection.roundTripMs,
    rpcCreditsPerHash: identity.rpcCreditsPerHash,
    rpcPort: identity.rpcPort,
    sendCount: connection.bytesOut,
    sendIdleTime: secondsSince(connection.lastSend, now),
    state: sync.state,
    supportFlags: identity.supportFlags,
  };
}

function secondsSince(then: number, now: number): number {
  return Math.max(0, Math.floor(now / 1000) - Math.floor(then / 1000));
}
