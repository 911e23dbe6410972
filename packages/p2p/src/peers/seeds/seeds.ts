import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseIp } from '../../hosts/index.ts';
import type { Network } from '@monero-node/consensus';
import { ipAddress, parsePeerAddress, parseHostPort } from '../../net/parse-address.ts';
import type { NetAddress } from '../../net/address.ts';

/** Milliseconds for the look-up of all names together. */
const LOOKUP_TIMEOUT_MS = 20_000;
/** With fewer seeds than this the built-in addresses are added. */
const ENOUGH_SEEDS = 12;

/** Returns all IP addresses of a name. Rejects when there are none. */
export type Resolver = (host: string) => Promise<string[]>;

/** Returns the system's resolver. @param options.ipv6 also look up IPv6 addresses */
export function systemResolver(options: { ipv6: boolean }): Resolver {
  return async (host) =>
    (await lookup(host, { all: true, family: options.ipv6 ? 0 : 4 })).map(({ address }) => address);
}

/** Always rejects: used when DNS queries would reveal our address. */
export const noResolver: Resolver = () => Promise.reject(new Error('DNS queries are not allowed'));

/** Returns the built-in seeds of an anonymity network. */
export function hiddenSeeds(network: Network, zone: 'i2p' | 'tor'): NetAddress[] {
  const seeds = zone === 'tor' ? network.torSeedNodes : network.i2pSeedNodes;
  return seeds.flatMap((text) => parsePeerAddress(text, network.ports.p2p) ?? []);
}

/** Returns the addresses of `host:port` texts. Names are looked up; texts without an address are left out. */
export async function resolveAddresses(
  texts: readonly string[],
  defaultPort: number,
  resolver: Resolver,
): Promise<NetAddress[]> {
  const resolved = await Promise.all(texts.map((text) => resolveOne(text, defaultPort, resolver)));
  return resolved.flat();
}

async function resolveOne(
  text: string,
  defaultPort: number,
  resolver: Resolver,
): Promise<NetAddress[]> {
  const known = parsePeerAddress(text, defaultPort);
  if (known) return [known];
  const parsed = parseHostPort(text, defaultPort);
  // The name of a mistyped hidden service must not appear in DNS queries.
  if (!parsed || parseIp(parsed.host) || /\.(?:onion|i2p)$/i.test(parsed.host)) return [];
  try {
    const hosts = await resolver(parsed.host);
    return hosts.flatMap((host) => ipAddress(host, parsed.port) ?? []);
  } catch {
    return [];
  }
}

/** Returns the addresses of the network's seed names, and the built-in ones if those are too few. */
export async function networkSeeds(
  network: Network,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<NetAddress[]> {
  const names = network.seedHosts.map((host) => `${host}:${network.ports.p2p}`);
  const lookups = resolveAddresses(names, network.ports.p2p, resolver);
  const timeout = delay(LOOKUP_TIMEOUT_MS, [], { signal, ref: false }).catch(() => []);
  const found = names.length === 0 ? [] : await Promise.race([lookups, timeout]);
  if (found.length >= ENOUGH_SEEDS) return found;
  const builtIn = network.seedNodes.flatMap(
    (text) => parsePeerAddress(text, network.ports.p2p) ?? [],
  );
  return [...found, ...builtIn];
}
