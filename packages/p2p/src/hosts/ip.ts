import ipaddr from 'ipaddr.js';

const { IPv4, IPv6 } = ipaddr;

/** An IP address. `String(ip)` is its canonical text: a dotted quad, or IPv6 as RFC 5952 writes it, without a zone. */
export type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** The library also reads octal and hexadecimal numbers, and fewer than four. */
const STRICT_IPV4 = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;
/** All groups but the last, the last one or a dotted quad, and a zone. */
const IPV6 = /^([\da-f:]*:)([\da-f]*|[\d.]+)(?:%[\da-z.:-]+)?$/i;

/**
 * Returns the IP address that a text is; undefined for any other text. The same texts are addresses as for `isIP` of
 * `node:net`: IPv4 has four decimal numbers without leading zeros. The zone of IPv6 is dropped.
 */
export function parseIp(text: string): Ip | undefined {
  try {
    if (STRICT_IPV4.test(text)) return new IPv4(text.split('.').map(Number));
    const [, groups, end = ''] = IPV6.exec(text) ?? [];
    return groups === undefined ? undefined : IPv6.parse(groups + hexGroups(end));
  } catch {
    return undefined;
  }
}

/** The library would read the quad of `::1.2.3.4` as IPv4-mapped, and its numbers loosely. Throws Error for a malformed quad. */
function hexGroups(end: string): string {
  if (!end.includes('.')) return end;
  if (!STRICT_IPV4.test(end)) throw new Error('not a dotted quad');
  return asIpv6(IPv4.parse(end))
    .parts.slice(6)
    .map((part) => part.toString(16))
    .join(':');
}

/**
 * Returns the IPv4 address that a text is for `inet_addr` of C, which also takes 1 to 3 numbers, of which the last fills the
 * bytes that are left, and octal and hexadecimal ones: `10.1` is 10.0.0.1, and `010.0.0.1` is 8.0.0.1. Undefined for other
 * texts.
 */
export function parseLooseIpv4(text: string): Ip | undefined {
  return IPv4.isValid(text) ? IPv4.parse(text) : undefined;
}

/** Returns the address of 4 or 16 bytes, first byte highest. Throws Error for another number of bytes. */
export function ipFromBytes(bytes: Uint8Array): Ip {
  return ipaddr.fromByteArray([...bytes]);
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`); undefined for other addresses. */
export function mappedIp(ip: Ip): Ip | undefined {
  return ip instanceof IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : undefined;
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, and any other address unchanged. */
export function plainIp(ip: Ip): Ip {
  return mappedIp(ip) ?? ip;
}

/** Returns the IPv4-mapped form of an IPv4 address, and an IPv6 address unchanged. */
export function asIpv6(ip: Ip): ipaddr.IPv6 {
  if (ip instanceof IPv6) return ip;
  const [a = 0, b = 0, c = 0, d = 0] = ip.octets;
  return new IPv6([0, 0, 0, 0, 0, 0xffff, (a << 8) | b, (c << 8) | d]);
}

/** Returns the first bits of an IPv6 address, a multiple of 16, as groups in hexadecimal; undefined for IPv4. */
export function ipv6Prefix(ip: Ip, bits: number): string | undefined {
  if (!(ip instanceof IPv6)) return undefined;
  return ip.parts
    .slice(0, bits / 16)
    .map((part) => part.toString(16))
    .join(':');
}
