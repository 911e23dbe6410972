import { parseIp, parseLooseIpv4, plainIp, type Ip } from '../hosts/index.ts';
import { isPeerId } from './address.ts';
import type { NetAddress } from './address.ts';
import { unmapped } from './ip-address.ts';
import { formatSubnet, subnetMatches, subnetOf } from './ip-subnet.ts';
import type { IpSubnet } from './ip-subnet.ts';
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
    const ip = bannedIp(cidr[1] ?? cidr[2] ?? '');
    const subnet = ip && subnetOf(ip, Number(cidr[3]));
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

/** Returns the widest of the banned subnets in a list of texts that covers a host; undefined when none does. */
export function widestBan(host: string, banned: readonly string[]): string | undefined {
  const target = parseBanTarget(host);
  const address = target?.kind === 'host' ? ipAddress(target.text, 0) : undefined;
  if (address === undefined) return undefined;
  const [widest] = banned
    .flatMap((text) => {
      const ban = parseBanTarget(text);
      return ban?.kind === 'subnet' && targetMatches(ban, address) ? [ban] : [];
    })
    .sort((a, b) => a.subnet.prefix - b.subnet.prefix);
  return widest?.text;
}

function hostOf(text: string): string | undefined {
  if (isPeerId(text)) return text;
  const bare = parseIp(text);
  if (bare !== undefined) return String(plainIp(bare));
  const match = HOST_AND_PORT.exec(text);
  if (match === null || Number(match[3] ?? 0) > MAX_PORT) return undefined;
  const name = match[1] ?? match[2] ?? '';
  const ip = bannedIp(name);
  return ip === undefined ? hiddenAddress(name, 0)?.host : String(plainIp(ip));
}

/** Returns an IP address, also in a form that monerod's `inet_addr` takes; undefined for other texts. */
function bannedIp(text: string): Ip | undefined {
  return parseIp(text) ?? parseLooseIpv4(text);
}
