import { UNKNOWN_HOSTS } from './hidden-address.ts';

/**
 * The kinds of network address with their numbers on the wire (`adr.type`). That of libp2p, 0, appears in reports and is
 * never sent.
 */
export const ADDRESS_TYPES = { libp2p: 0, ipv4: 1, ipv6: 2, i2p: 3, tor: 4 } as const;
export type NetAddressKind = keyof typeof ADDRESS_TYPES;

/**
 * The address of a peer. `host` is an IP in canonical text, an `.onion` or `.i2p` name, one of `UNKNOWN_HOSTS` with
 * port 0, or the id of a libp2p peer with port 0.
 */
export interface NetAddress {
  readonly kind: NetAddressKind;
  readonly host: string;
  readonly port: number;
}

/** The network of an address. Peers send only addresses of the zone to which their connection belongs. */
export type Zone = 'public' | 'i2p' | 'tor' | 'libp2p';

/** Returns the network to which an address belongs. */
export function zoneOf(address: NetAddress): Zone {
  return address.kind === 'ipv4' || address.kind === 'ipv6' ? 'public' : address.kind;
}

/** The id of a libp2p peer in base58: a short public key or the hash of a long one. */
const PEER_ID = /^(?:Qm|1)[1-9A-HJ-NP-Za-km-z]{44,52}$/;

/** Returns whether a text is the id of a libp2p peer. */
export function isPeerId(text: string): boolean {
  return PEER_ID.test(text);
}

/** Returns whether peers of a zone are anonymous: they relay our clients' transactions and do not synchronize. */
export function isHiddenZone(zone: Zone): zone is 'i2p' | 'tor' {
  return zone === 'i2p' || zone === 'tor';
}

/** Returns whether an address belongs to an anonymous zone. */
export function isHidden(address: NetAddress): boolean {
  return isHiddenZone(zoneOf(address));
}

/** Returns `host:port`, with IPv6 in brackets, and I2P and libp2p without a port. Also the key of the peer lists. */
export function formatPeerAddress(address: NetAddress): string {
  switch (address.kind) {
    case 'ipv6':
      return `[${address.host}]:${address.port}`;
    case 'i2p':
    case 'libp2p':
      return address.host;
    case 'tor':
      return address.port === 0 ? address.host : `${address.host}:${address.port}`;
    default:
      return `${address.host}:${address.port}`;
  }
}

/** Returns the address used for all peers that connect through our hidden service. */
export function unknownAddress(kind: 'tor' | 'i2p'): NetAddress {
  return { kind, host: UNKNOWN_HOSTS[kind], port: 0 };
}

/** Returns whether an address is one of {@link unknownAddress}. */
export function isUnknown(address: NetAddress): boolean {
  return address.host.startsWith('<');
}

/** Returns whether two addresses have the same host and port. */
export function sameAddress(a: NetAddress, b: NetAddress): boolean {
  return a.port === b.port && a.host === b.host;
}
