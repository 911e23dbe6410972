import { ipv4Bytes } from './ip-text.ts';
import { formatSubnet, subtractSubnet } from './ipv4-subnet.ts';
import type { Ipv4Subnet } from './ipv4-subnet.ts';

/**
 * IPv4 subnets, each with the end of its ban in Unix seconds (Infinity for ever). A host is looked up in at most 33
 * steps, however many subnets there are.
 */
export class SubnetBans {
  /** By prefix length, then base. */
  readonly #byPrefix = new Map<number, Map<number, number>>();

  set({ base, prefix }: Ipv4Subnet, until: number): void {
    const bases = this.#byPrefix.get(prefix) ?? new Map<number, number>();
    this.#byPrefix.set(prefix, bases.set(base, until));
  }

  get size(): number {
    let size = 0;
    for (const bases of this.#byPrefix.values()) size += bases.size;
    return size;
  }

  /** Returns the latest end of a ban that covers an IPv4 given as text; undefined when there is none. */
  until(host: string): number | undefined {
    const number = ipv4Bytes(host).reduce((n, byte) => n * 256 + byte, 0);
    let longest: number | undefined;
    for (const [prefix, bases] of this.#byPrefix) {
      const size = 2 ** (32 - prefix);
      const until = bases.get(number - (number % size));
      if (until !== undefined && until > (longest ?? -1)) longest = until;
    }
    return longest;
  }

  /** Removes a subnet from all bans. Returns false if no ban covered a part of it. */
  cut(hole: Ipv4Subnet): boolean {
    let changed = false;
    for (const { subnet, until } of this.list()) {
      const left = subtractSubnet(subnet, hole);
      if (left.length === 1 && left[0] === subnet) continue;
      changed = true;
      this.#delete(subnet);
      for (const part of left) this.set(part, Math.max(until, this.#get(part) ?? 0));
    }
    return changed;
  }

  /** Removes the bans that ended by `now`, in Unix seconds. */
  expire(now: number): void {
    for (const [prefix, bases] of this.#byPrefix)
      for (const [base, until] of bases) if (now >= until) this.#delete({ base, prefix });
  }

  list(): { subnet: Ipv4Subnet; text: string; until: number }[] {
    return [...this.#byPrefix].flatMap(([prefix, bases]) =>
      [...bases].map(([base, until]) => {
        const subnet = { base, prefix };
        return { subnet, text: formatSubnet(subnet), until };
      }),
    );
  }

  #get({ base, prefix }: Ipv4Subnet): number | undefined {
    return this.#byPrefix.get(prefix)?.get(base);
  }

  #delete({ base, prefix }: Ipv4Subnet): void {
    const bases = this.#byPrefix.get(prefix);
    bases?.delete(base);
    if (bases?.size === 0) this.#byPrefix.delete(prefix);
  }
}
