import type { NetAddress } from './address.ts';
import { formatIpv4, ipv4Bytes, ipv6Bytes } from './ip-text.ts';

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

/** Returns the dotted quad of a number whose low byte is the first octet. */
export function ipv4FromNumber(ip: number): string {
  return [ip & 0xff, (ip >>> 8) & 0xff, (ip >>> 16) & 0xff, ip >>> 24].join('.');
}

/** Returns whether an address is in 127/8 or is ::1. */
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
