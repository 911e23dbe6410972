import { isIPv4 } from 'node:net';
import { formatIpv4, ipv4Bytes } from './ip-text.ts';

/** An IPv4 subnet: the addresses whose first `prefix` bits equal those of `base` (first octet in the high byte). */
export interface Ipv4Subnet {
  readonly base: number;
  readonly prefix: number;
}

function toNumber(host: string): number {
  return ipv4Bytes(host).reduce((n, byte) => n * 256 + byte, 0);
}

function mask(prefix: number): number {
  return prefix === 0 ? 0 : (-1 << (32 - prefix)) >>> 0;
}

/** Parses `a.b.c.d/n`; returns undefined for any other text. Bits below the mask are dropped. */
export function parseSubnet(text: string): Ipv4Subnet | undefined {
  const [host = '', bits, more] = text.trim().split('/');
  if (more !== undefined || bits === undefined || !/^\d{1,2}$/.test(bits) || !isIPv4(host))
    return undefined;
  const prefix = Number(bits);
  if (prefix > 32) return undefined;
  return { base: (toNumber(host) & mask(prefix)) >>> 0, prefix };
}

/** Returns a subnet in CIDR form, `a.b.c.d/n`. */
export function formatSubnet(subnet: Ipv4Subnet): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, subnet.base);
  return `${formatIpv4(bytes)}/${subnet.prefix}`;
}

/** Returns whether a subnet contains an IPv4 given as text. */
export function subnetMatches(subnet: Ipv4Subnet, host: string): boolean {
  return (toNumber(host) & mask(subnet.prefix)) >>> 0 === subnet.base;
}

function contains(outer: Ipv4Subnet, inner: Ipv4Subnet): boolean {
  return inner.prefix >= outer.prefix && (inner.base & mask(outer.prefix)) >>> 0 === outer.base;
}

/** Returns `subnet` without `hole`, as at most 32 smaller subnets. */
export function subtractSubnet(subnet: Ipv4Subnet, hole: Ipv4Subnet): Ipv4Subnet[] {
  if (contains(hole, subnet)) return [];
  if (!contains(subnet, hole)) return [subnet];
  const prefix = subnet.prefix + 1;
  const half = 2 ** (32 - prefix);
  const halves = [
    { base: subnet.base, prefix },
    { base: subnet.base + half, prefix },
  ];
  return halves.flatMap((part) => subtractSubnet(part, hole));
}
