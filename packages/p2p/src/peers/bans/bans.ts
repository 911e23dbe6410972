import { BoundedMap } from '@monero-node/base';
import type { MillisecondClock } from '@monero-node/base';
import { parseIp, plainIp } from '../../hosts/index.ts';
import { parseBanTarget } from '../../net/ban-target.ts';
import type { BanTarget } from '../../net/ban-target.ts';
import { ipv4Number } from '../../net/ip-address.ts';
import { formatSubnet, ipNumberOf, subnetMatches } from '../../net/ip-subnet.ts';
import { ipAddress } from '../../net/parse-address.ts';
import { SubnetBans } from '../../net/subnet-bans.ts';
import { ListedBans } from './listed-bans.ts';

/** A banned host or subnet (`host` is then in CIDR form). */
export interface BanEntry {
  host: string;
  /** IPv4 as a number whose low byte is the first octet; 0 for subnets and other kinds of address. */
  ip: number;
  /** Seconds left. */
  seconds: number;
}

/** A host with more points than this is banned. */
const FAILS_BEFORE_BAN = 10;
export const BAN_SECONDS = 86_400;
const MAX_SECONDS = 2 ** 32 - 1;
/** Hosts whose points are remembered; the oldest are forgotten first. */
const MAX_SCORED_HOSTS = 10_000;

/**
 * Banned hosts and subnets, and the points that lead to bans. Hosts are identified by address without port. Nothing is
 * kept over a restart.
 * Source: block_host, block_subnet and add_host_fail in src/p2p/net_node.inl
 */
export class BanList {
  readonly #now: MillisecondClock;
  readonly #hosts = new Map<string, number>();
  readonly #subnets = new SubnetBans();
  #listed = new ListedBans();
  readonly #scores = new BoundedMap<string, number>(MAX_SCORED_HOSTS);

  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /**
   * Returns the seconds left of the ban of a host, or undefined if it is not banned.
   *
   * @param host of an address: an IP, a name or an id without port
   */
  secondsLeft(host: string): number | undefined {
    const now = this.#seconds();
    const ip = parseIp(host);
    const name = canonicalHost(host, ip);
    if (this.#listed.hosts.has(name)) return Infinity;
    const number = ip && ipNumberOf(ip);
    const subnet = number && this.#subnets.until(number);
    const listed = number && this.#listed.subnets.until(number);
    const left = Math.max(this.#hosts.get(name) ?? 0, subnet ?? 0, listed ?? 0) - now;
    return left > 0 ? left : undefined;
  }

  /** Returns what `unban` takes to end every ban of a host: the widest banned subnet around it, or the host itself. */
  toUnban(host: string): string {
    const ip = parseIp(host);
    const number = ip && ipNumberOf(ip);
    const [subnet] = [this.#subnets, this.#listed.subnets]
      .flatMap((bans) => (number && bans.widest(number, this.#seconds())) ?? [])
      .sort((a, b) => a.prefix - b.prefix);
    return subnet === undefined ? canonicalHost(host, ip) : formatSubnet(subnet);
  }

  /** Returns the seconds left of the ban of exactly this subnet, or of a host and the subnets around it. */
  left(target: BanTarget): number | undefined {
    if (target.kind === 'host') return this.secondsLeft(target.text);
    const until = this.#listed.subnets.get(target.subnet) ?? this.#subnets.get(target.subnet);
    return until === undefined ? undefined : Math.max(0, until - this.#seconds());
  }

  /** Bans a host or subnet. The time counts from now on, also for one that is banned already. */
  ban(target: BanTarget, seconds: number): void {
    const until = this.#seconds() + seconds;
    this.#listed.delete(target);
    if (target.kind === 'subnet') this.#subnets.set(target.subnet, until);
    else this.#hosts.set(target.text, until);
  }

  /** Bans the hosts and subnets of a ban list for ever, in place of those of the list before. */
  replaceListed(listed: ListedBans): void {
    this.#listed = listed;
  }

  /**
   * Lifts the ban of a host; or every ban inside a subnet, whereupon the rest of a wider subnet stays banned. Returns false if
   * nothing changed.
   */
  unban(target: BanTarget): boolean {
    const listed = this.#listed;
    if (target.kind === 'host') {
      const wasListed = listed.delete(target);
      return this.#hosts.delete(target.text) || wasListed;
    }
    let changed = false;
    for (const hosts of [this.#hosts, listed.hosts])
      for (const [host] of [...hosts]) {
        const address = ipAddress(host, 0);
        if (address && subnetMatches(target.subnet, address))
          changed = hosts.delete(host) || changed;
      }
    for (const subnets of [this.#subnets, listed.subnets])
      changed = subnets.cut(target.subnet) || changed;
    return changed;
  }

  /** Bans the host or subnet that a text names. Returns false if it names none. */
  banText(text: string, seconds: number): boolean {
    const target = parseBanTarget(text);
    if (target) this.ban(target, seconds);
    return target !== undefined;
  }

  /** Returns the banned hosts in order of their text, then the subnets. */
  list(): BanEntry[] {
    const now = this.#seconds();
    this.#expire(now);
    const left = (until: number): number => Math.min(MAX_SECONDS, Math.ceil(until - now));
    const hosts = [...new Map([...this.#hosts, ...this.#listed.hosts])].sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    const subnets = [...this.#subnets.list(), ...this.#listed.subnets.list()];
    const untilOf = new Map(subnets.map(({ text, until }) => [text, until]));
    return [
      ...hosts.map(([host, until]) => ({ host, ip: ipNumber(host), seconds: left(until) })),
      ...[...untilOf].map(([host, until]) => ({ host, ip: 0, seconds: left(until) })),
    ];
  }

  /** Number of hosts and subnets that {@link BanList.list} returns. */
  get size(): number {
    this.#expire(this.#seconds());
    const { hosts, subnets } = this.#listed;
    let both = 0;
    for (const host of this.#hosts.keys()) if (hosts.has(host)) both++;
    for (const { subnet } of this.#subnets.list()) if (subnets.get(subnet) !== undefined) both++;
    return this.#hosts.size + this.#subnets.size + this.#listed.size - both;
  }

  /** Number of hosts and subnets of the ban list. */
  get listedSize(): number {
    return this.#listed.size;
  }

  /** Adds points to a host. Returns true if the caller should ban the host. */
  addFailure(host: string, score: number): boolean {
    const key = canonicalHost(host);
    const total = (this.#scores.get(key) ?? 0) + score;
    const tooMuch = total > FAILS_BEFORE_BAN;
    this.#scores.set(key, tooMuch ? FAILS_BEFORE_BAN / 2 : total);
    return tooMuch;
  }

  score(host: string): number {
    return this.#scores.get(canonicalHost(host)) ?? 0;
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  #expire(now: number): void {
    for (const [host, until] of this.#hosts) if (now >= until) this.#hosts.delete(host);
    this.#subnets.expire(now);
  }
}

function canonicalHost(host: string, ip = parseIp(host)): string {
  return ip === undefined ? host : String(plainIp(ip));
}

function ipNumber(host: string): number {
  const address = ipAddress(host, 0);
  return address ? ipv4Number(address) : 0;
}

/**
 * Returns for the owner of the node for how long a host is banned, and how to lift the ban; undefined when it is not banned. A node
 * that runs as a service has no console, and where the host is this machine, no command can be sent to it either.
 */
export function banNotice(
  bans: Pick<BanList, 'secondsLeft' | 'toUnban'>,
  host: string,
): string | undefined {
  const seconds = bans.secondsLeft(host);
  if (seconds === undefined) return undefined;
  const lifts = `"unban ${bans.toUnban(host)}" on the console lifts the ban`;
  if (seconds === Infinity)
    return `banned for good by a ban list (${lifts}; without a console, change the list, and reload or restart the node)`;
  return `banned for ${seconds} more seconds (${lifts}; without a console, restart the node)`;
}
