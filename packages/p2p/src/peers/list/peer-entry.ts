import { formatPeerAddress } from '../../net/address.ts';
import { ipv4Number } from '../../net/ip-address.ts';
import type { KnownPeer } from './known-peer.ts';

/** One entry of the white or gray list, as `/get_peer_list` reports it. */
export interface PeerEntry {
  id: bigint;
  /** IP address without port, or a hidden service's name with port. */
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

/** Returns the report on a known peer. */
export function peerEntry(peer: KnownPeer): PeerEntry {
  const { address } = peer;
  const hasIp = address.kind === 'ipv4' || address.kind === 'ipv6';
  return {
    id: peer.id,
    host: hasIp ? address.host : formatPeerAddress(address),
    ip: ipv4Number(address),
    port: hasIp ? address.port : 0,
    lastSeen: peer.lastSeen,
    pruningSeed: peer.pruningSeed,
    rpcPort: peer.rpcPort,
    rpcCreditsPerHash: peer.rpcCreditsPerHash,
  };
}
