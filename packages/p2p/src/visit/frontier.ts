import { formatPeerAddress, type NetAddress } from '../net/address.ts';
import { subnetGroup } from '../net/ip-address.ts';

/** Addresses that one node may add: a list of peers has no more. */
const PER_SOURCE = 250;

/** Bounds of a {@link Frontier}. */
export interface FrontierLimits {
  /** Addresses that are remembered at all. */
  readonly maxKnown: number;
  /** Addresses of one IPv4 /24 or IPv6 /32 that are taken. */
  readonly maxPerSubnet: number;
}

/**
 * The addresses that a crawl has yet to visit, each taken once. Nodes that named addresses take turns, so that one that
 * makes them up cannot crowd out those of the others.
 */
export class Frontier {
  readonly #limits: FrontierLimits;
  readonly #known = new Set<string>();
  readonly #subnets = new Map<string, number>();
  /** The unvisited addresses of each source, the source whose turn is next first. */
  #sources: NetAddress[][] = [];

  constructor(limits: FrontierLimits) {
    this.#limits = limits;
  }

  /** Adds the addresses that one source named. Those that are known or beyond a limit are left out. */
  add(addresses: readonly NetAddress[]): void {
    const fresh = addresses.slice(0, PER_SOURCE).filter((address) => this.#take(address));
    if (fresh.length > 0) this.#sources.push(fresh);
  }

  /** Removes and returns the next address; undefined when all were visited. */
  next(): NetAddress | undefined {
    const source = this.#sources.shift();
    const address = source?.shift();
    if (source !== undefined && source.length > 0) this.#sources.push(source);
    return address;
  }

  #take(address: NetAddress): boolean {
    const key = formatPeerAddress(address);
    if (this.#known.has(key) || this.#known.size >= this.#limits.maxKnown) return false;
    const subnet = subnetGroup(address) ?? address.host;
    const count = this.#subnets.get(subnet) ?? 0;
    if (count >= this.#limits.maxPerSubnet) return false;
    this.#subnets.set(subnet, count + 1);
    this.#known.add(key);
    return true;
  }
}
