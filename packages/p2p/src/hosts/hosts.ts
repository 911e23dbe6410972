import { ipv6Prefix, mappedIp, parseIp, plainIp } from './ip.ts';

/** Ranges that cannot be reached from the internet. */
const PRIVATE: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);

/** Returns whether a host is `localhost` or a loopback address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || rangeOf(host) === 'loopback';
}

/** Returns whether a host is a loopback, private or link-local address. */
export function isPrivate(host: string): boolean {
  return PRIVATE.has(rangeOf(host) ?? '');
}

function rangeOf(host: string): string | undefined {
  const ip = parseIp(host);
  return ip && plainIp(ip).range();
}

/** Returns whether a text is an IPv6 address, which URLs and addresses with a port have in brackets. */
export function isIpv6(text: string): boolean {
  return parseIp(text)?.kind() === 'ipv6';
}

/** Returns an IPv6 address without the brackets that it may have, and any other text unchanged. */
export function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, as dual-stack sockets have them, and any other text unchanged. */
export function plainHost(host: string): string {
  const ip = parseIp(host);
  return String((ip && mappedIp(ip)) ?? host);
}

/** Bits of an IPv6 address that a provider gives to one customer. */
const CUSTOMER_BITS = 64;

/** Returns what counts as one host where clients share something: the first 64 bits of an IPv6 address, any other text whole. */
export function clientHost(host: string): string {
  const ip = parseIp(host);
  return (ip && ipv6Prefix(ip, CUSTOMER_BITS)) ?? host;
}
