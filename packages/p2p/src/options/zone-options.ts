import { parseIp } from '../hosts/index.ts';
import { zoneOf } from '../net/address.ts';
import { hiddenAddress, parsePeerAddress, parseHostPort } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { I2P_PORT } from '../net/hidden-address.ts';
import { parseSocksEndpoint } from '../net/socks-endpoint.ts';
import type { SocksEndpoint } from '../net/socks-endpoint.ts';

export const ANONYMITY_ZONES = ['i2p', 'tor'] as const;
export type AnonymityZone = (typeof ANONYMITY_ZONES)[number];

/** Our hidden service: the address that peers know, and the local port to which the Tor or I2P router forwards. */
export interface AnonymousInbound {
  readonly address: NetAddress;
  readonly bindIp: string;
  readonly bindPort: number;
  /** Most connections; -1 is unlimited. */
  readonly maxConnections: number;
}

/** One anonymity network in which this node takes part. */
export interface AnonymityZoneOptions {
  readonly zone: AnonymityZone;
  /** Without a proxy only incoming connections are possible. */
  readonly proxy?: SocksEndpoint;
  /** Wanted outgoing connections; -1 is the default, 12. */
  readonly outPeers: number;
  /** Hide our clients' transactions in a constant stream of frames. */
  readonly noise: boolean;
  readonly inbound?: AnonymousInbound;
}

/** An invalid option of an anonymity network; the message is for the user. */
export class ZoneOptionError extends Error {
  override readonly name = 'ZoneOptionError';
  readonly code = 'bad-option';
}

/**
 * Parses `--tx-proxy` and `--anonymous-inbound`. Throws ZoneOptionError for anything malformed or contradictory.
 * Source: get_proxies and get_anonymous_inbounds in src/p2p/net_node.cpp
 * @param proxies each `NET,[socks5://[USER:PASSWORD@]]IP:PORT[,MAX][,disable_noise]`, NET `tor` or `i2p`
 * @param inbounds each `HOST[:PORT],[BIND_IP:]PORT[,MAX]`
 */
export function anonymityZones(
  proxies: readonly string[],
  inbounds: readonly string[],
): AnonymityZoneOptions[] {
  const zones = new Map<AnonymityZone, AnonymityZoneOptions>();
  for (const text of proxies) {
    const zone = parseTxProxy(text);
    if (zones.has(zone.zone)) throw new ZoneOptionError(`--tx-proxy twice for ${zone.zone}`);
    zones.set(zone.zone, zone);
  }
  for (const text of inbounds) {
    if (proxies.length === 0)
      throw new ZoneOptionError(
        '--anonymous-inbound needs a --tx-proxy, over which own transactions are sent',
      );
    const { zone, inbound } = parseInbound(text);
    const known = zones.get(zone) ?? { zone, outPeers: 0, noise: false };
    if (known.inbound) throw new ZoneOptionError(`--anonymous-inbound twice for ${zone}`);
    zones.set(zone, { ...known, inbound });
  }
  return [...zones.values()];
}

/**
 * Checks that every peer of an anonymity network among `texts` can be reached through a proxy.
 * Throws ZoneOptionError otherwise.
 */
export function checkPeersReachable(
  texts: readonly string[],
  zones: readonly AnonymityZoneOptions[],
): void {
  for (const text of texts) {
    const address = parsePeerAddress(text, 1);
    const zone = address && zoneOf(address);
    if (zone === undefined || zone === 'public') continue;
    if (!zones.some((known) => known.zone === zone && known.proxy))
      throw new ZoneOptionError(`${text} needs --tx-proxy ${zone},IP:PORT`);
  }
}

function parseTxProxy(text: string): AnonymityZoneOptions {
  const fail = (what: string): never => {
    throw new ZoneOptionError(`--tx-proxy ${text}: ${what}`);
  };
  const [zone, socks = '', ...rest] = text.split(',');
  if (zone !== 'tor' && zone !== 'i2p') return fail('the network is to be tor or i2p');
  const proxy = parseSocksEndpoint(socks);
  if (!proxy) return fail('no address of a SOCKS proxy');
  if (rest.length > 2) return fail('too many commas');
  let outPeers = -1;
  let noise = true;
  for (const word of rest) {
    if (word === 'disable_noise') noise = false;
    else outPeers = parseMaximum(word) ?? fail('a wrong number of connections');
  }
  return { zone, proxy, outPeers, noise };
}

function parseInbound(text: string): { zone: AnonymityZone; inbound: AnonymousInbound } {
  const fail = (what: string): never => {
    throw new ZoneOptionError(`--anonymous-inbound ${text}: ${what}`);
  };
  const [service = '', bind = '', maximum = '', ...more] = text.split(',');
  if (more.length > 0) return fail('too many commas');
  const host = parseHostPort(service, I2P_PORT);
  const port = service.includes(':') ? (host?.port ?? 0) : 0;
  const address = host && hiddenAddress(host.host, port);
  if (!address) return fail('no address of a Tor or I2P service');
  const at = parseHostPort(bind.includes(':') ? bind : `127.0.0.1:${bind}`, 0);
  if (!at || parseIp(at.host)?.kind() !== 'ipv4') return fail('no local IP and port');
  const maxConnections = parseMaximum(maximum) ?? fail('a wrong number of connections');
  const zone = address.kind === 'tor' ? 'tor' : 'i2p';
  return { zone, inbound: { address, bindIp: at.host, bindPort: at.port, maxConnections } };
}

/** Returns a positive 32-bit number, -1 for an empty text, undefined for any other text. */
function parseMaximum(text: string): number | undefined {
  if (text === '') return -1;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value < 2 ** 32 ? value : undefined;
}
