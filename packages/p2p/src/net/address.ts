import { I2P_PORT, UNKNOWN_HOSTS, canonicalI2p, canonicalOnion } from './hidden-address.ts';
import { formatIpv4, formatIpv6, ipv4Bytes, ipv6Bytes } from './ip-text.ts';
import { isIP } from './is-ip.ts';

/**
 * The kinds of network address with their numbers on the wire (`adr.type`). That of libp2p, 0, appears in reports and is
 * never sent.
 */
export const ADDRESS_TYPES = { libp2p: 0, ipv4: 1, ipv6: 2, i2p: 3, tor: 4 } as const;
export type NetAddressKind = keyof typeof ADDRESS_TYPES;

/**
 * The address of a peer. `host` is an IP in canonical text, an `.onion` or `.i2p` name, one of {@link UNKNOWN_HOSTS} with
 * port 0, or the id of a libp2p peer with port 0.
 */
export interface NetAddress {
  readonly kind: NetAddressKind;
  readonly host: string;
  readonly port: number;
}

/** The network of an address. Peers send only addresses of the zone to which their connection belongs. */
export type Zone = 'public' | 'i2p' | 'tor' | 'libp2p';

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

export function isUnknown(address: NetAddress): boolean {
  return address.host.startsWith('<');
}

export function sameAddress(a: NetAddress, b: NetAddress): boolean {
  return a.port === b.port && a.host === b.host;
}

/** Returns the address of an IP given as text; undefined when the text is not an IP. */
export function ipAddress(host: string, port: number): NetAddress | undefined {
  switch (isIP(host)) {
    case 4:
      return { kind: 'ipv4', host: formatIpv4(ipv4Bytes(host)), port };
    case 6:
      return { kind: 'ipv6', host: formatIpv6(ipv6Bytes(host)), port };
    default:
      return undefined;
  }
}

/** A host and a port as a user writes them; the host may be a name. */
export interface HostPort {
  host: string;
  port: number;
}

/**
 * Splits `host`, `host:port`, `[ipv6]`, `[ipv6]:port` or a bare IPv6 address.
 * Returns undefined for any other text, and when the port is not in 1..65535.
 */
export function parseHostPort(text: string, defaultPort: number): HostPort | undefined {
  const trimmed = text.trim();
  if (isIP(trimmed) === 6) return { host: trimmed, port: defaultPort };
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^[\]:\s]+))(?::(\d{1,5}))?$/.exec(trimmed);
  if (!match) return undefined;
  const host = match[1] ?? match[2] ?? '';
  if (match[1] !== undefined && isIP(host) !== 6) return undefined;
  const port = match[3] === undefined ? defaultPort : Number(match[3]);
  return port >= 1 && port <= 65535 ? { host, port } : undefined;
}

/** Returns the address in `text`; undefined when its host is not an IP, `.onion` or `.b32.i2p` name and needs a look-up. */
export function parsePeerAddress(text: string, defaultPort: number): NetAddress | undefined {
  const parsed = parseHostPort(text, defaultPort);
  if (!parsed) return undefined;
  const { host, port } = parsed;
  return hiddenAddress(host, port) ?? ipAddress(host, port);
}

/** Returns the address of an `.onion` or `.i2p` host; undefined when the host is neither or is malformed. */
export function hiddenAddress(host: string, port: number): NetAddress | undefined {
  if (/\.onion$/i.test(host)) {
    const onion = canonicalOnion(host);
    return onion === undefined ? undefined : { kind: 'tor', host: onion, port };
  }
  const name = /\.i2p$/i.test(host) ? canonicalI2p(host) : undefined;
  return name === undefined ? undefined : { kind: 'i2p', host: name, port: I2P_PORT };
}

/** Returns the IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`); undefined for other addresses. */
export function mappedIpv4(address: NetAddress): NetAddress | undefined {
  if (address.kind !== 'ipv6') return undefined;
  const bytes = ipv6Bytes(address.host);
  if (bytes.subarray(0, 10).some((b) => b !== 0) || bytes[10] !== 0xff || bytes[11] !== 0xff)
    return undefined;
  return { kind: 'ipv4', host: formatIpv4(bytes.subarray(12)), port: address.port };
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, and any other address unchanged. */
export function unmapped(address: NetAddress): NetAddress {
  return mappedIpv4(address) ?? address;
}

/** Returns an IPv4 as the number used on the wire and in RPC: the first octet is the low byte. 0 for other kinds. */
export function ipv4Number(address: NetAddress): number {
  if (address.kind !== 'ipv4') return 0;
  const b = ipv4Bytes(address.host);
  return ((b[0] ?? 0) | ((b[1] ?? 0) << 8) | ((b[2] ?? 0) << 16) | ((b[3] ?? 0) << 24)) >>> 0;
}

export function ipv4FromNumber(ip: number): string {
  return [ip & 0xff, (ip >>> 8) & 0xff, (ip >>> 16) & 0xff, ip >>> 24].join('.');
}

export function isLoopbackAddress(address: NetAddress): boolean {
  if (address.kind === 'ipv4') return address.host.startsWith('127.');
  return address.kind === 'ipv6' && address.host === '::1';
}

/**
 * Returns whether an address is in 10/8, 172.16/12, 192.168/16 or IPv6 link-local.
 * Source: is_ip_local in contrib/epee/include/net/local_ip.h
 */
export function isLocal(address: NetAddress): boolean {
  if (address.kind === 'ipv4') {
    const [a, b = 0] = ipv4Bytes(address.host);
    return a === 10 || (a === 192 && b === 168) || (a === 172 && b >= 16 && b <= 31);
  }
  if (address.kind !== 'ipv6') return false;
  const [a, b = 0] = ipv6Bytes(address.host);
  return a === 0xfe && (b & 0xc0) === 0x80;
}

/** Returns the subnet over which outgoing peers are spread: IPv4 /24 or IPv6 /32; undefined for other kinds. */
export function subnetGroup(address: NetAddress): string | undefined {
  const plain = unmapped(address);
  if (plain.kind === 'ipv4') return plain.host.split('.').slice(0, 3).join('.');
  if (plain.kind === 'ipv6') return `v6:${ipv6Bytes(plain.host).subarray(0, 4).join('.')}`;
  return undefined;
}

/** Returns the key by which incoming connections are counted: an IPv4 address or a public IPv6 /64. */
export function connectionLimitHost(address: NetAddress): string {
  const plain = unmapped(address);
  if (plain.kind !== 'ipv6' || isLoopbackAddress(plain) || isLocal(plain)) return plain.host;
  return `v6:${ipv6Bytes(plain.host).subarray(0, 8).join('.')}`;
}
