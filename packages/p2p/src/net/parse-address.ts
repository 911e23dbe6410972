import { isIpv6, parseIp } from '../hosts/index.ts';
import type { NetAddress } from './address.ts';
import { I2P_PORT, canonicalI2p, canonicalOnion } from './hidden-address.ts';
import { addressOf } from './ip-address.ts';

/** Returns the address of an IP given as text; undefined when the text is not an IP. */
export function ipAddress(host: string, port: number): NetAddress | undefined {
  const ip = parseIp(host);
  return ip && addressOf(ip, port);
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
  if (isIpv6(trimmed)) return { host: trimmed, port: defaultPort };
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^[\]:\s]+))(?::(\d{1,5}))?$/.exec(trimmed);
  if (!match) return undefined;
  const host = match[1] ?? match[2] ?? '';
  if (match[1] !== undefined && !isIpv6(host)) return undefined;
  const port = match[3] === undefined ? defaultPort : Number(match[3]);
  return port >= 1 && port <= 65535 ? { host, port } : undefined;
}

/**
 * Returns the address in `text`; undefined when its host is not an IP, `.onion` or `.b32.i2p` name and needs a look-up. A
 * `.b32.i2p` name needs no port: I2P has none.
 */
export function parsePeerAddress(text: string, defaultPort: number): NetAddress | undefined {
  const bare = hiddenAddress(text.trim(), defaultPort);
  if (bare?.kind === 'i2p') return bare;
  const parsed = parseHostPort(text, defaultPort);
  if (!parsed) return undefined;
  const { host, port } = parsed;
  return hiddenAddress(host, port) ?? ipAddress(host, port);
}

/**
 * Returns whether a text can name a peer: an IP address, a host name or a well-formed `.onion` or `.b32.i2p` name, with or
 * without a port. A name that looks right may still be unknown to the DNS.
 */
export function isPeerAddress(text: string): boolean {
  const parsed = parseHostPort(text, 1);
  if (parsed === undefined) return false;
  const { host, port } = parsed;
  if (/\.(?:onion|i2p)$/i.test(host)) return hiddenAddress(host, port) !== undefined;
  if (parseIp(host) !== undefined) return true;
  return host.length <= MAX_NAME && HOST_NAME.test(host);
}

/** Longest name in the DNS. */
const MAX_NAME = 253;
/**
 * Labels of letters, digits, hyphens and underscores; the last one is not a number, which would be a mistyped IP
 * address.
 */
const HOST_NAME =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+\.?$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;

/** Returns the address of an `.onion` or `.i2p` host; undefined when the host is neither or is malformed. */
export function hiddenAddress(host: string, port: number): NetAddress | undefined {
  if (/\.onion$/i.test(host)) {
    const onion = canonicalOnion(host);
    return onion === undefined ? undefined : { kind: 'tor', host: onion, port };
  }
  const name = /\.i2p$/i.test(host) ? canonicalI2p(host) : undefined;
  return name === undefined ? undefined : { kind: 'i2p', host: name, port: I2P_PORT };
}
