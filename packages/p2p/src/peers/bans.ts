import { BoundedMap } from '@monero-node/base';
import type { MillisecondClock } from '@monero-node/base';
import { isPeerId } from '../net/address.ts';
import { ipv4Number, unmapped } from '../net/ip-address.ts';
import { ipAddress } from '../net/parse-address.ts';
import { parseSubnet, subnetMatches } from '../net/ipv4-subnet.ts';
import { SubnetBans } from '../net/subnet-bans.ts';

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
  readonly #scores = new BoundedMap<string, number>(MAX_SCORED_HOSTS);

  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /** Returns the seconds left of the ban of `host`, or undefined if it is not banned. */
  secondsLeft(host: string): number | undefined {
    const now = this.#seconds();
    const key = canonicalHost(host);
    const subnet = ipAddress(key, 0)?.kind === 'ipv4' ? this.#subnets.until(key) : undefined;
    const left = Math.max(this.#hosts.get(key) ?? 0, subnet ?? 0) - now;
    return left > 0 ? left : undefined;
  }

  /** Bans one host. Returns false if `host` is neither an IP address nor the id of a libp2p peer. */
  banHost(host: string, seconds: number): boolean {
    if (!isBannable(host)) return false;
    this.#hosts.set(canonicalHost(host), this.#seconds() + seconds);
    return true;
  }

  /** Bans an IPv4 subnet. Returns false if the text is not in CIDR form. */
  banSubnet(text: string, seconds: number): boolean {
    const subnet = parseSubnet(text);
    if (!subnet) return false;
    this.#subnets.set(subnet, this.#seconds() + seconds);
    return true;
  }

  unbanHost(host: string): boolean {
    return this.#hosts.delete(canonicalHost(host));
  }

  /** Lifts every ban inside a subnet. The rest of a wider subnet stays banned. Returns false if nothing changed. */
  unbanSubnet(text: string): boolean {
    const hole = parseSubnet(text);
    if (!hole) return false;
    let changed = false;
    for (const host of [...this.#hosts.keys()])
      if (ipAddress(host, 0)?.kind === 'ipv4' && subnetMatches(hole, host))
        changed = this.#hosts.delete(host) || changed;
    return this.#subnets.cut(hole) || changed;
  }

  /** Returns the banned hosts in order of their text, then the subnets. */
  list(): BanEntry[] {
    const now = this.#seconds();
    this.#expire(now);
    const left = (until: number): number => Math.min(MAX_SECONDS, Math.ceil(until - now));
    const hosts = [...this.#hosts].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...hosts.map(([host, until]) => ({ host, ip: ipNumber(host), seconds: left(until) })),
      ...this.#subnets
        .list()
        .map(({ text, until }) => ({ host: text, ip: 0, seconds: left(until) })),
    ];
  }

  /** Number of hosts and subnets that {@link BanList.list} returns. */
  get size(): number {
    this.#expire(this.#seconds());
    return this.#hosts.size + this.#subnets.size;
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

function canonicalHost(host: string): string {
  const address = ipAddress(host, 0);
  return address ? unmapped(address).host : host;
}

function isBannable(host: string): boolean {
  return ipAddress(host, 0) !== undefined || isPeerId(host);
}

function ipNumber(host: string): number {
  const address = ipAddress(host, 0);
  return address ? ipv4Number(address) : 0;
}
