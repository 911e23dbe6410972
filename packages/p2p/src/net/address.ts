import { I2P_PORT, UNKNOWN_HOSTS, canonicalI2p, canonicalOnion } from './hidden-address.ts';
import { isIP } from './is-ip.ts';

/**
 * Kinds of network address with the numbers they have on the wire (`adr.type`); that of libp2p, 0, is
 * only reported and never sent.
 */
export const ADDRESS_TYPES = { libp2p: 0, ipv4: 1, ipv6: 2, i2p: 3, tor: 4 } as const;
export type AddressKind = keyof typeof ADDRESS_TYPES;

/**
 * Where a peer is: `host` is an IP in its canonical text, an `.onion` or `.i2p` name, one of
 * {@link UNKNOWN_HOSTS} with port 0, or the id of a libp2p peer with port 0.
 */
export interface NetAddress {
  readonly kind: AddressKind;
  readonly host: string;
  readonly port: number;
}

/** Peers only hand on addresses of the zone a connection belongs to. */
export type Zone = 'public' | 'i2p' | 'tor' | 'libp2p';

export function zoneOf(address: NetAddress): Zone {
  return address.kind === 'ipv4' || address.kind === 'ipv6' ? 'public' : address.kind;
}

/** The id of a libp2p peer in base58: a short public key, or the hash of a long one. */
const PEER_ID = /^(?:Qm|1)[1-9A-HJ-NP-Za-km-z]{44,52}$/;

/** Whether a text is the id of a libp2p peer. */
export function isPeerId(text: string): boolean {
  return PEER_ID.test(text);
}

/** Whether peers of a zone are anonymous: they relay own transactions, and do not synchronize. */
export function isHiddenZone(zone: Zone): zone is 'i2p' | 'tor' {
  return zone === 'i2p' || zone === 'tor';
}

/** The same of the zone an address belongs to. */
export function isHidden(address: NetAddress): boolean {
  return isHiddenZone(zoneOf(address));
}

/** `host:port`, IPv6 in brackets, I2P and libp2p without a port. Also the key of the peer lists. */
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

/** The stand-in for a peer that came in through our hidden service. */
export function unknownAddress(kind: 'tor' | 'i2p'): NetAddress {
  return { kind, host: UNKNOWN_HOSTS[kind], port: 0 };
}

export function isUnknown(address: NetAddress): boolean {
  return address.host.startsWith('<');
}

export function sameAddress(a: NetAddress, b: NetAddress): boolean {
  return a.port === b.port && a.host === b.host;
}

/** The address of an IP given as text, or undefined when it is not one. */
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

/** A host and a port as people write them; the host may still be a name. */
export interface HostPort {
  host: string;
  port: number;
}

/**
 * Splits `host`, `host:port`, `[ipv6]`, `[ipv6]:port` or a bare IPv6.
 * Returns undefined when the text is none of these or the port is not in 1..65535.
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

/** The address in `text` when its host needs no look-up: an IP, `.onion` or `.b32.i2p` name. */
export function parsePeerAddress(text: string, defaultPort: number): NetAddress | undefined {
  const parsed = parseHostPort(text, defaultPort);
  if (!parsed) return undefined;
  const { host, port } = parsed;
  return hiddenAddress(host, port) ?? ipAddress(host, port);
}

/** The address of an `.onion` or `.i2p` host; undefined when the host is neither or is malformed. */
export function hiddenAddress(host: string, port: number): NetAddress | undefined {
  if (/\.onion$/i.test(host)) {
    const onion = canonicalOnion(host);
    return onion === undefined ? undefined : { kind: 'tor', host: onion, port };
  }
  const name = /\.i2p$/i.test(host) ? canonicalI2p(host) : undefined;
  return name === undefined ? undefined : { kind: 'i2p', host: name, port: I2P_PORT };
}

/** The four bytes of a dotted quad that `isIP` accepted. */
export function ipv4Bytes(host: string): Uint8Array {
  return Uint8Array.from(host.split('.'), Number);
}

export function formatIpv4(bytes: Uint8Array): string {
  return bytes.join('.');
}

/** The 16 bytes of an IPv6 address that `isIP` accepted (a zone id is ignored). */
export function ipv6Bytes(host: string): Uint8Array {
  let text = host.split('%')[0] ?? '';
  const quad = /(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (quad?.[1]) {
    const b = ipv4Bytes(quad[1]);
    const words = [(b[0] ?? 0) * 256 + (b[1] ?? 0), (b[2] ?? 0) * 256 + (b[3] ?? 0)];
    text = text.slice(0, quad.index) + words.map((w) => w.toString(16)).join(':');
  }
  const [head = '', tail] = text.split('::');
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((w) => parseInt(w, 16));
  const left = words(head);
  const right = tail === undefined ? [] : words(tail);
  const all = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(all.flatMap((w) => [w >> 8, w & 0xff]));
}

/** The canonical text (RFC 5952) of 16 bytes. */
export function formatIpv6(bytes: Uint8Array): string {
  const words = Array.from(
    { length: 8 },
    (_, i) => (bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0),
  );
  let best = { at: -1, length: 1 };
  for (let at = 0; at < 8; at++) {
    let length = 0;
    while (at + length < 8 && words[at + length] === 0) length++;
    if (length > best.length) best = { at, length };
  }
  const hex = (part: number[]): string => part.map((w) => w.toString(16)).join(':');
  if (best.at < 0) return hex(words);
  return `${hex(words.slice(0, best.at))}::${hex(words.slice(best.at + best.length))}`;
}

/** The IPv4 address inside an IPv4-mapped IPv6 one (`::ffff:a.b.c.d`), otherwise undefined. */
export function mappedIpv4(address: NetAddress): NetAddress | undefined {
  if (address.kind !== 'ipv6') return undefined;
  const bytes = ipv6Bytes(address.host);
  if (bytes.subarray(0, 10).some((b) => b !== 0) || bytes[10] !== 0xff || bytes[11] !== 0xff)
    return undefined;
  return { kind: 'ipv4', host: formatIpv4(bytes.subarray(12)), port: address.port };
}

/** The same address with an IPv4-mapped IPv6 host turned into its IPv4. */
export function unmapped(address: NetAddress): NetAddress {
  return mappedIpv4(address) ?? address;
}

/** IPv4 as the number the wire and RPC use: the first octet is the low byte. 0 for other kinds. */
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

/** 10/8, 172.16/12, 192.168/16 or IPv6 link-local (`contrib/epee/include/net/local_ip.h`). */
export function isLocal(address: NetAddress): boolean {
  if (address.kind === 'ipv4') {
    const [a, b = 0] = ipv4Bytes(address.host);
    return a === 10 || (a === 192 && b === 168) || (a === 172 && b >= 16 && b <= 31);
  }
  if (address.kind !== 'ipv6') return false;
  const [a, b = 0] = ipv6Bytes(address.host);
  return a === 0xfe && (b & 0xc0) === 0x80;
}

/** The group a peer counts for when outgoing peers are spread: IPv4 /24, IPv6 /32. */
export function subnetGroup(address: NetAddress): string | undefined {
  const plain = unmapped(address);
  if (plain.kind === 'ipv4') return plain.host.split('.').slice(0, 3).join('.');
  if (plain.kind === 'ipv6') return `v6:${ipv6Bytes(plain.host).subarray(0, 4).join('.')}`;
  return undefined;
}

/** What incoming connections are counted by: an IPv4 address, a public IPv6 /64. */
export function connectionLimitHost(address: NetAddress): string {
  const plain = unmapped(address);
  if (plain.kind !== 'ipv6' || isLoopbackAddress(plain) || isLocal(plain)) return plain.host;
  return `v6:${ipv6Bytes(plain.host).subarray(0, 8).join('.')}`;
}
