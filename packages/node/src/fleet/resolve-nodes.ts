import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Semaphore } from '@monero-node/base';
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
  /** Targets of SRV records that have no address, by what the servers say. */
  readonly empty: readonly string[];
}

/** Where names are looked up. `cancel` ends all look-ups that are under way. */
export interface NameServices {
  readonly resolver: Pick<Resolver, 'resolve4' | 'resolve6' | 'resolveSrv' | 'cancel'>;
  /** The system's own way: the file of hosts, search domains, multicast. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
}

/** Seconds until a name is resolved again whose records tell no time to live: those of the system, and of SRV. */
const UNTOLD_SECONDS = 30;
/** Bounds of the time to live in seconds. */
const MIN_SECONDS = 5;
const MAX_SECONDS = 300;
/** Milliseconds that all look-ups for one name may take together. */
const LOOK_UP_MS = 20_000;
/** Targets of SRV records that are looked up at a time. */
const TARGETS_AT_ONCE = 8;
/** Answers of a server that say that there are no such records. */
const NOTHING = new Set(['ENODATA', 'ENOTFOUND']);

/** Addresses of no single machine. */
const NOBODY = new BlockList();
NOBODY.addSubnet('0.0.0.0', 8);
NOBODY.addSubnet('224.0.0.0', 3);
NOBODY.addAddress('::', 'ipv6');
NOBODY.addSubnet('ff00::', 8, 'ipv6');

/** Returns the DNS servers and the resolver of this machine, for one name. */
export function systemNames(): NameServices {
  return {
    resolver: new Resolver({ timeout: 2000, tries: 2 }),
    lookup: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  };
}

/**
 * Resolves with the nodes of a name or an address. Rejects with the error of the resolver, which has a `code`, when there is none, or
 * when a server did not answer: half an answer would look like nodes that have gone. Also rejects, with ETIMEOUT or ECANCELLED, after
 * 20 seconds, and when `stop` is aborted. Then no look-up goes on, but for one of the system itself, which nothing ends.
 *
 * @param names for this call alone
 */
export async function resolveNodes(
  node: FleetNode,
  names: NameServices,
  stop?: AbortSignal,
): Promise<FoundNodes> {
  const end = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason as Error));
  });
  const endWith = (code: string): void =>
    end.abort(Object.assign(new Error('the look-up was ended'), { code }));
  const cancel = (): void => endWith('ECANCELLED');
  stop?.addEventListener('abort', cancel);
  if (stop?.aborted === true) cancel();
  const timer = setTimeout(() => endWith('ETIMEOUT'), LOOK_UP_MS).unref();
  try {
    return await Promise.race([ended, find(node, names, end.signal)]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', cancel);
    // Targets that wait for their turn are not looked up any more.
    cancel();
    names.resolver.cancel();
  }
}

async function find(
  { host, port }: FleetNode,
  names: NameServices,
  end: AbortSignal,
): Promise<FoundNodes> {
  if (port === undefined) return resolveService(host, names.resolver, end);
  const { addresses, seconds } = await addressesOf(host, names);
  const asked = oneFamily(addresses).map((address) => addressText(address, port));
  return found(asked, addresses, seconds);
}

/**
 * The nodes of SRV records (RFC 2782). All are asked, whatever their priorities and weights. Their targets are names of the DNS, so
 * nothing else is asked for them. One without an address is no node.
 */
async function resolveService(
  name: string,
  resolver: NameServices['resolver'],
  end: AbortSignal,
): Promise<FoundNodes> {
  const records = (await resolver.resolveSrv(name))
    .filter(({ name }) => name !== '')
    .sort((a, b) => compare(a.name, b.name) || a.port - b.port);
  const turns = new Semaphore(TARGETS_AT_ONCE);
  const targets = await Promise.all(
    records.slice(0, MAX_NODES).map((target) =>
      turns.run(async () => {
        end.throwIfAborted();
        const { addresses, seconds } = await addressesInDns(target.name, resolver);
        return { name: target.name, port: target.port, addresses, seconds };
      }),
    ),
  );
  const asked = targets.flatMap(({ addresses, port }) =>
    oneFamily(addresses)
      .slice(0, 1)
      .map((address) => addressText(address, port)),
  );
  const addresses = targets.flatMap((target) => target.addresses);
  const seconds = Math.min(UNTOLD_SECONDS, ...targets.map((target) => target.seconds));
  const empty = targets.filter((target) => target.addresses.length === 0).map(({ name }) => name);
  return { ...found(asked, addresses, seconds, records.length > MAX_NODES), empty };
}

function found(
  asked: readonly string[],
  addresses: readonly string[],
  seconds: number,
  isCut = asked.length > MAX_NODES,
): FoundNodes {
  if (asked.length === 0) throw Object.assign(new Error('no addresses'), { code: 'ENODATA' });
  return {
    // Servers answer in another order each time; what is left out must not change with it.
    asked: sorted(asked).slice(0, MAX_NODES),
    addresses: sorted(addresses).slice(0, 2 * MAX_NODES),
    seconds: Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, seconds)),
    isCut,
    empty: [],
  };
}

interface Addresses {
  readonly addresses: readonly string[];
  readonly seconds: number;
}

async function addressesOf(host: string, { resolver, lookup }: NameServices): Promise<Addresses> {
  try {
    const known = await addressesInDns(host, resolver);
    if (known.addresses.length > 0) return known;
  } catch {
    // No server answers; the name may still be in the file of hosts.
  }
  return { addresses: (await lookup(host)).filter(isMachine), seconds: UNTOLD_SECONDS };
}

/** Resolves with no addresses when the servers say that the name has none. Rejects when they do not answer. */
async function addressesInDns(
  host: string,
  resolver: NameServices['resolver'],
): Promise<Addresses> {
  if (isIP(host) !== 0) return { addresses: [host], seconds: MAX_SECONDS };
  const records = (
    await Promise.all([
      resolver.resolve4(host, { ttl: true }).catch(noRecords),
      resolver.resolve6(host, { ttl: true }).catch(noRecords),
    ])
  ).flat();
  const addresses = sorted(records.map(({ address }) => address).filter(isMachine));
  const seconds = Math.min(MAX_SECONDS, ...records.map(({ ttl }) => ttl));
  return { addresses, seconds };
}

/** Returns no records if the server says that there are none; throws any other error. */
function noRecords(error: NodeJS.ErrnoException): never[] {
  if (NOTHING.has(error.code ?? '')) return [];
  throw error;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns each text once, in an order that does not depend on the given one. */
const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compare);

const isMachine = (address: string): boolean =>
  !NOBODY.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Returns the addresses of the family that has more of them, IPv4 if both have as many. A machine with one of each would be asked twice
 * otherwise.
 */
function oneFamily(addresses: readonly string[]): string[] {
  const ofFamily = (family: number): string[] =>
    addresses.filter((address) => isIP(address) === family);
  const [four, six] = [ofFamily(4), ofFamily(6)];
  return six.length > four.length ? six : four;
}

const addressText = (address: string, port: number): string =>
  `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
