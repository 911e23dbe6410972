import { isPeerId } from './address.ts';
import type { NetAddress } from './address.ts';
import { unmapped } from './ip-address.ts';
import { formatSubnet, subnetMatches, subnetOf } from './ip-subnet.ts';
import type { IpSubnet } from './ip-subnet.ts';
import { formatIpv4 } from './ip-text.ts';
import { hiddenAddress, ipAddress } from './parse-address.ts';

/** A host or subnet that can be banned. `text` is its canonical form: a host without port, or a subnet in CIDR form. */
export type BanTarget =
  | { readonly kind: 'host'; readonly text: string }
  | { readonly kind: 'subnet'; readonly text: string; readonly subnet: IpSubnet };

/** Longer texts name nothing: an I2P name has 67 characters, a port 6. */
const MAX_TEXT = 100;
const MAX_PORT = 65_535;
/** A host, or an address in brackets, then perhaps a port, which may be missing after its colon. */
const HOST_AND_PORT = /^(?:\[([^[\]/]+)\]|([^[\]/:]+))(?::(\d{0,5}))?$/;
const SUBNET = /^(?:\[([^[\]/]+)\]|([^[\]/]+))\/(\d{1,3})$/;
const NUMBER = /^(?:0x[0-9a-f]+|\d+)$/i;

/**
 * Returns what a text names for every list of bans, option, command and call: an IP address, an `.onion` or `.i2p` host or the
 * id of a libp2p peer, with or without a port, which is ignored; or a subnet of IPv4 or IPv6. Undefined for any other text.
 * Case, space around it and the zone of an IPv6 address do not count; IPv4-mapped IPv6 is IPv4.
 *
 * Source: get_network_address and get_ipv4_subnet_address in src/net/parse.cpp, which know no subnets of IPv6
 */
export function parseBanTarget(text: string): BanTarget | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_TEXT) return undefined;
  const cidr = SUBNET.exec(trimmed);
  if (cidr !== null) {
    const address = bannedIp(cidr[1] ?? cidr[2] ?? '');
    const subnet = address && subnetOf(address, Number(cidr[3]));
    return subnet && { kind: 'subnet', text: formatSubnet(subnet), subnet };
  }
  const host = hostOf(trimmed);
  return host === undefined ? undefined : { kind: 'host', text: host };
}

/** Returns whether a host or subnet covers an address. */
export function targetMatches(target: BanTarget, address: NetAddress): boolean {
  return target.kind === 'host'
    ? unmapped(address).host === target.text
    : subnetMatches(target.subnet, address);
}

function hostOf(text: string): string | undefined {
  if (isPeerId(text)) return text;
  const bare = ipAddress(text, 0);
  if (bare !== undefined) return unmapped(bare).host;
  const match = HOST_AND_PORT.exec(text);
  if (match === null || Number(match[3] ?? 0) > MAX_PORT) return undefined;
  const name = match[1] ?? match[2] ?? '';
  const address = hiddenAddress(name, 0) ?? bannedIp(name);
  return address && unmapped(address).host;
}

function bannedIp(text: string): NetAddress | undefined {
  return ipAddress(text, 0) ?? looseIpv4(text);
}

/**
 * Reads the short forms of IPv4 that monerod's inet_addr takes: 1 to 4 numbers, decimal, octal or hexadecimal, of which the
 * last fills the bytes that are left. So `10.1` is 10.0.0.1, and `010.0.0.1` is 8.0.0.1.
 */
function looseIpv4(text: string): NetAddress | undefined {
  const parts = text.split('.');
  if (parts.length > 4 || !parts.every((part) => NUMBER.test(part))) return undefined;
  const values = parts.map((part) => Number(/^0\d/.test(part) ? `0o${part}` : part));
  const last = values.pop() ?? NaN;
  const left = 4 - values.length;
  if (!values.every((value) => value <= 0xff) || !(last < 2 ** (8 * left))) return undefined;
  const bytes = Uint8Array.from({ length: 4 }, (_, i) =>
    Number(values[i] ?? Math.floor(last / 2 ** (8 * (3 - i)))),
  );
  return { kind: 'ipv4', host: formatIpv4(bytes), port: 0 };
}
