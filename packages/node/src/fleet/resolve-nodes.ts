import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { MAX_NODES } from './fleet-answer.ts';

/** Other nodes of the same fleet: one, or all that a name has. */
export interface FleetNode {
  /** A name or an address; an IPv6 address without brackets. */
  readonly host: string;
  /** Of their RPC. Undefined: the name is one of SRV records (`_service._proto.name`), which have the ports. */
  readonly port: number | undefined;
}

/** The nodes of a name. */
export interface FoundNodes {
  /** Where each is asked, such as `10.0.0.1:18089` or `[2001:db8::1]:18089`. */
  readonly asked: readonly string[];
  /** All addresses of them. */
  readonly addresses: readonly string[];
  /** Until the name should be resolved again. */
  readonly seconds: number;
  /** The records name more nodes than a fleet may have; the rest is left out. */
  readonly isCut: boolean;
}

/** Where names are looked up. */
export interface NameServices {
  readonly resolver: Pick<Resolver, 'resolve4' | 'resolve6' | 'resolveSrv'>;
  /** The system's own way: the file of hosts, search domains, multicast. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
}

/** Seconds until a name is resolved again whose records tell no time to live: those of the system, and of SRV. */
const UNTOLD_SECONDS = 30;
/** Bounds of the time to live in seconds. */
const MIN_SECONDS = 5;
const MAX_SECONDS = 300;
/** Answers of a server that say that there are no such records. */
const NOTHING = new Set(['ENODATA', 'ENOTFOUND']);

/** Addresses of no single machine. */
const NOBODY = new BlockList();
NOBODY.addSubnet('0.0.0.0', 8);
NOBODY.addSubnet('224.0.0.0', 3);
NOBODY.addAddress('::', 'ipv6');
NOBODY.addSubnet('ff00::', 8, 'ipv6');

/** Returns the DNS servers and the resolver of this machine. */
export function systemNames(): NameServices {
  return {
    resolver: new Resolver({ timeout: 2000, tries: 2 }),
    lookup: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  };
}

/**
 * Resolves with the nodes of a name or an address. Rejects with the error of the resolver, which has a `code`, when there is none, or
 * when a server did not answer: half an answer would look like nodes that have gone.
 */
export async function resolveNodes(
  { host, port }: FleetNode,
  names: NameServices,
): Promise<FoundNodes> {
  if (port === undefined) return resolveService(host, names);
  const { addresses, seconds } = await addressesOf(host, names);
  const asked = oneFamily(addresses).map((address) => addressText(address, port));
  return found(asked, addresses, seconds);
}

/** The nodes of SRV records (RFC 2782). All are asked, whatever their priorities and weights. */
async function resolveService(name: string, names: NameServices): Promise<FoundNodes> {
  const records = (await names.resolver.resolveSrv(name)).filter(({ name }) => name !== '');
  const targets = await Promise.all(
    records
      .slice(0, MAX_NODES)
      .map(async (target) => ({ ...(await addressesOf(target.name, names)), port: target.port })),
  );
  const asked = targets.flatMap(({ addresses, port }) =>
    oneFamily(addresses)
      .slice(0, 1)
      .map((address) => addressText(address, port)),
  );
  const addresses = targets.flatMap((target) => target.addresses);
  const seconds = Math.min(UNTOLD_SECONDS, ...targets.map((target) => target.seconds));
  return found(asked, addresses, seconds, records.length > MAX_NODES);
}

function found(
  asked: readonly string[],
  addresses: readonly string[],
  seconds: number,
  isCut = asked.length > MAX_NODES,
): FoundNodes {
  if (asked.length === 0) throw Object.assign(new Error('no addresses'), { code: 'ENODATA' });
  return {
    asked: [...new Set(asked)].slice(0, MAX_NODES),
    addresses: addresses.slice(0, 2 * MAX_NODES),
    seconds: Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, seconds)),
    isCut,
  };
}

interface Addresses {
  readonly addresses: readonly string[];
  readonly seconds: number;
}

async function addressesOf(host: string, { resolver, lookup }: NameServices): Promise<Addresses> {
  if (isIP(host) !== 0) return { addresses: [host], seconds: MAX_SECONDS };
  try {
    const records = (
      await Promise.all([
        resolver.resolve4(host, { ttl: true }).catch(noRecords),
        resolver.resolve6(host, { ttl: true }).catch(noRecords),
      ])
    ).flat();
    const addresses = records.map(({ address }) => address).filter(isMachine);
    if (addresses.length > 0)
      return { addresses, seconds: Math.min(...records.map(({ ttl }) => ttl)) };
  } catch {
    // No server answers; the name may still be in the file of hosts.
  }
  return { addresses: (await lookup(host)).filter(isMachine), seconds: UNTOLD_SECONDS };
}

/** Returns no records if the server says that there are none; throws any other error. */
function noRecords(error: NodeJS.ErrnoException): never[] {
  if (NOTHING.has(error.code ?? '')) return [];
  throw error;
}

const isMachine = (address: string): boolean =>
  !NOBODY.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Returns the addresses of the family that has more of them, IPv4 if both have as many. A machine with one of each would have two
 * votes otherwise.
 */
function oneFamily(addresses: readonly string[]): string[] {
  const ofFamily = (family: number): string[] =>
    addresses.filter((address) => isIP(address) === family);
  const [four, six] = [ofFamily(4), ofFamily(6)];
  return six.length > four.length ? six : four;
}

const addressText = (address: string, port: number): string =>
  `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
