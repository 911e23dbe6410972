import {
  clientHost,
  ipFromBytes,
  ipv6Prefix,
  mappedIp,
  parseIp,
  plainIp,
  type Ip,
} from '../hosts/index.ts';
import type { NetAddress } from './address.ts';

/** Returns the IP address of a peer; undefined for other kinds of address. */
export function toIp({ kind, host }: NetAddress): Ip | undefined {
  return kind === 'ipv4' || kind === 'ipv6' ? parseIp(host) : undefined;
}

/** Returns an IP address with a port. */
export function addressOf(ip: Ip, port: number): NetAddress {
  return { kind: ip.kind(), host: String(ip), port };
}

/** Returns the IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`); undefined for other addresses. */
export function mappedIpv4(address: NetAddress): NetAddress | undefined {
  if (address.kind !== 'ipv6') return undefined;
  const ip = toIp(address);
  const ipv4 = ip && mappedIp(ip);
  return ipv4 && addressOf(ipv4, address.port);
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, and any other address unchanged. */
export function unmapped(address: NetAddress): NetAddress {
  return mappedIpv4(address) ?? address;
}

/** Returns an IPv4 as the number used on the wire and in RPC: the first octet is the low byte. 0 for other kinds. */
export function ipv4Number(address: NetAddress): number {
  const bytes = address.kind === 'ipv4' ? toIp(address)?.toByteArray() : undefined;
  return bytes?.reduceRight((number, byte) => number * 256 + byte, 0) ?? 0;
}

/** Returns the dotted quad of a number whose low byte is the first octet. */
export function ipv4FromNumber(ip: number): string {
  return String(ipFromBytes(Uint8Array.of(ip, ip >>> 8, ip >>> 16, ip >>> 24)));
}

/**
 * Returns `loopback` for an address in 127/8 and ::1, and `local` for one in 10/8, 172.16/12, 192.168/16 or IPv6 link-local;
 * undefined for all others.
 * Source: is_ip_local in contrib/epee/include/net/local_ip.h
 */
export function privateRange(address: NetAddress): 'loopback' | 'local' | undefined {
  const range = toIp(address)?.range();
  if (range === 'loopback') return range;
  return range === (address.kind === 'ipv4' ? 'private' : 'linkLocal') ? 'local' : undefined;
}

/** Returns the subnet over which outgoing peers are spread: IPv4 /24 or IPv6 /32; undefined for other kinds. */
export function subnetGroup(address: NetAddress): string | undefined {
  const ip = toIp(address);
  const plain = ip && plainIp(ip);
  return plain && (ipv6Prefix(plain, 32) ?? plain.toByteArray().slice(0, 3).join('.'));
}

/** Returns the key by which incoming connections are counted: an IPv4 address or a public IPv6 /64. */
export function connectionLimitHost(address: NetAddress): string {
  const plain = unmapped(address);
  if (plain.kind !== 'ipv6' || privateRange(plain) !== undefined) return plain.host;
  return clientHost(plain.host);
}
