import { isPlausibleSeed } from '@monero-node/consensus';
import type { PeerListEntry } from '../../messages/peer-entries.ts';
import { isUnknown, zoneOf } from '../../net/address.ts';
import { mappedIpv4, privateRange } from '../../net/ip-address.ts';
import type { NetAddress, Zone } from '../../net/address.ts';
import { MAX_PEERS_IN_HANDSHAKE } from './peer-list.ts';
import type { KnownPeer } from './known-peer.ts';

/**
 * Returns the usable peers of a received list, or undefined if its sender must be dropped: the list has more than 250
 * entries or one of another zone. Over libp2p it must be empty. Private and loopback addresses are left out unless
 * `allowPrivate` is set.
 * Source: sanitize_peerlist and handle_remote_peerlist in src/p2p/net_node.inl
 */
export function acceptPeerList(
  entries: readonly PeerListEntry[],
  zone: Zone,
  { allowPrivate = false }: { readonly allowPrivate?: boolean } = {},
): KnownPeer[] | undefined {
  if (entries.length > MAX_PEERS_IN_HANDSHAKE) return undefined;
  if (zone === 'libp2p') return entries.length === 0 ? [] : undefined;
  const usable = entries.filter(
    (entry) => isUsable(entry) && (allowPrivate || privateRange(entry.adr) === undefined),
  );
  if (usable.some((entry) => zoneOf(entry.adr) !== zone)) return undefined;
  return usable.map((entry) => ({
    address: entry.adr,
    id: entry.id,
    lastSeen: 0,
    pruningSeed: entry.pruning_seed,
    rpcPort: entry.rpc_port,
    rpcCreditsPerHash: entry.rpc_credits_per_hash,
  }));
}

function isUsable(entry: PeerListEntry): boolean {
  const address: NetAddress = entry.adr;
  if (mappedIpv4(address) || isUnknown(address) || address.port === 0) return false;
  if (address.kind === 'ipv4' && (address.host === '0.0.0.0' || address.port === entry.rpc_port))
    return false;
  return isPlausibleSeed(entry.pruning_seed);
}

/** Returns the wire form of a known peer. */
export function toPeerListEntry(peer: KnownPeer): PeerListEntry {
  return {
    adr: peer.address,
    id: peer.id,
    last_seen: BigInt(peer.lastSeen),
    pruning_seed: peer.pruningSeed,
    rpc_credits_per_hash: peer.rpcCreditsPerHash,
    rpc_port: peer.rpcPort,
  };
}
