import { ADDRESS_TYPES, formatAddress, ipv4Number, isLocal, isLoopback } from '../net/address.ts';
import type { ConnectionInfo, PeerEntry } from '../types.ts';
import type { KnownPeer } from './peer-list.ts';
import type { Peer } from './peer.ts';

const KIB = 1024;

/** What is reported about a connection. @param now milliseconds */
export function connectionInfo(peer: Peer, now: number): ConnectionInfo {
  const { address, connection } = peer;
  const hasIp = address.kind === 'ipv4' || address.kind === 'ipv6';
  const liveTime = secondsSince(connection.startedAt, now);
  const average = (bytes: number): number =>
    liveTime === 0 ? 0 : Math.floor(bytes / liveTime / KIB);
  return {
    address: formatAddress(address),
    addressType: ADDRESS_TYPES[address.kind],
    avgDownload: average(connection.bytesIn),
    avgUpload: average(connection.bytesOut),
    connectionId: peer.id,
    currentDownload: Math.floor(connection.speedDown.current / KIB),
    currentUpload: Math.floor(connection.speedUp.current / KIB),
    height: peer.height,
    host: address.host,
    incoming: peer.incoming,
    ip: hasIp ? address.host : '',
    liveTime,
    localIp: isLocal(address),
    localhost: isLoopback(address),
    peerId: peer.peerId.toString(16).padStart(16, '0'),
    port: hasIp ? String(address.port) : '',
    pruningSeed: peer.pruningSeed,
    recvCount: connection.bytesIn,
    recvIdleTime: secondsSince(connection.lastReceive, now),
    rpcCreditsPerHash: peer.rpcCreditsPerHash,
    rpcPort: peer.rpcPort,
    sendCount: connection.bytesOut,
    sendIdleTime: secondsSince(connection.lastSend, now),
    state: peer.state,
    supportFlags: peer.supportFlags,
  };
}

function secondsSince(then: number, now: number): number {
  return Math.max(0, Math.floor(now / 1000) - Math.floor(then / 1000));
}

/** What is reported about a known peer. A hidden service's host includes its port. */
export function peerEntry(peer: KnownPeer): PeerEntry {
  const { address } = peer;
  const hasIp = address.kind === 'ipv4' || address.kind === 'ipv6';
  return {
    id: peer.id,
    host: hasIp ? address.host : formatAddress(address),
    ip: ipv4Number(address),
    port: hasIp ? address.port : 0,
    lastSeen: peer.lastSeen,
    pruningSeed: peer.pruningSeed,
    rpcPort: peer.rpcPort,
    rpcCreditsPerHash: peer.rpcCreditsPerHash,
  };
}
