import { ipFromBytes, plainIp, type Ip } from '../hosts/index.ts';
import type { NetAddress } from './address.ts';
import { toIp } from './ip-address.ts';

/** An IP subnet: the addresses of a kind whose first `prefix` bits equal those of `base` (first byte is the highest). */
export interface IpSubnet {
  readonly kind: 'ipv4' | 'ipv6';
  readonly base: bigint;
  readonly prefix: number;
}

/** Number of bits of an address. */
export const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
/** Bits of an IPv4-mapped IPv6 address before those of the IPv4 address. */
const MAPPED_BITS = 96;

/** An IP address as a number, first byte highest. IPv4-mapped IPv6 is IPv4. */
export interface IpNumber {
  readonly kind: IpSubnet['kind'];
  readonly value: bigint;
}

/** Returns the number of an IP address. */
export function ipNumberOf(ip: Ip): IpNumber {
  const plain = plainIp(ip);
  const value = plain.toByteArray().reduce((n, byte) => (n << 8n) | BigInt(byte), 0n);
  return { kind: plain.kind(), value };
}

/** Returns an address without the bits below a prefix. */
export function networkBase({ kind, value }: IpNumber, prefix: number): bigint {
  const rest = BigInt(ADDRESS_BITS[kind] - prefix);
  return (value >> rest) << rest;
}

/**
 * Returns the subnet of an address and a prefix length; undefined when there are not that many bits.
 * Bits below the prefix are dropped. A subnet of IPv4-mapped IPv6 is one of IPv4.
 */
export function subnetOf(ip: Ip, prefix: number): IpSubnet | undefined {
  const number = ipNumberOf(ip);
  const isMapped = ip.kind() === 'ipv6' && number.kind === 'ipv4';
  const bits = isMapped ? prefix - MAPPED_BITS : prefix;
  if (bits < 0 || bits > ADDRESS_BITS[number.kind]) return undefined;
  return { kind: number.kind, base: networkBase(number, bits), prefix: bits };
}

/** Returns a subnet in CIDR form, `a.b.c.d/n` or `2001:db8::/n`. */
export function formatSubnet({ kind, base, prefix }: IpSubnet): string {
  const size = ADDRESS_BITS[kind] / 8;
  const bytes = Uint8Array.from({ length: size }, (_, i) =>
    Number((base >> BigInt(8 * (size - 1 - i))) & 0xffn),
  );
  return `${String(ipFromBytes(bytes))}/${prefix}`;
}

/** Returns whether a subnet contains an address. */
export function subnetMatches(subnet: IpSubnet, address: NetAddress): boolean {
  const ip = toIp(address);
  const number = ip && ipNumberOf(ip);
  return number?.kind === subnet.kind && networkBase(number, subnet.prefix) === subnet.base;
}

/** Returns whether a subnet is another one or lies in it. */
export function containsSubnet(outer: IpSubnet, { kind, base, prefix }: IpSubnet): boolean {
  if (kind !== outer.kind || prefix < outer.prefix) return false;
  return networkBase({ kind, value: base }, outer.prefix) === outer.base;
}

/** Returns `subnet` without `hole`, as at most 128 smaller subnets. */
export function subtractSubnet(subnet: IpSubnet, hole: IpSubnet): IpSubnet[] {
  if (containsSubnet(hole, subnet)) return [];
  if (!containsSubnet(subnet, hole)) return [subnet];
  const { kind, base } = subnet;
  const prefix = subnet.prefix + 1;
  const half = 1n << BigInt(ADDRESS_BITS[kind] - prefix);
  const halves = [
    { kind, base, prefix },
    { kind, base: base + half, prefix },
  ];
  return halves.flatMap((part) => subtractSubnet(part, hole));
}
