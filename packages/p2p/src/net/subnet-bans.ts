import { ADDRESS_BITS, formatSubnet, networkBase, subtractSubnet } from './ip-subnet.ts';
import type { IpNumber, IpSubnet } from './ip-subnet.ts';
import { ShardedMap } from './sharded-map.ts';

/** The bans of subnets with one prefix length, by base. */
interface Level {
  readonly kind: IpSubnet['kind'];
  readonly prefix: number;
  readonly ends: ShardedMap<bigint, number>;
}

/**
 * Subnets of IPv4 and IPv6, each with the end of its ban in Unix seconds (Infinity for ever). A host is looked up once for each
 * prefix length in use, however many subnets there are.
 */
export class SubnetBans {
  readonly #levels = new Map<string, Level>();

  set(subnet: IpSubnet, until: number): void {
    const { kind, prefix } = subnet;
    const level = this.#levels.get(keyOf(subnet)) ?? { kind, prefix, ends: newEnds(subnet) };
    level.ends.set(subnet.base, until);
    this.#levels.set(keyOf(subnet), level);
  }

  get size(): number {
    let size = 0;
    for (const { ends } of this.#levels.values()) size += ends.size;
    return size;
  }

  /** Returns the latest end of a ban that covers an address; undefined when there is none. */
  until(address: IpNumber): number | undefined {
    let longest: number | undefined;
    for (const { kind, prefix, ends } of this.#levels.values()) {
      if (kind !== address.kind) continue;
      const until = ends.get(networkBase(address, prefix));
      if (until !== undefined && until > (longest ?? -1)) longest = until;
    }
    return longest;
  }

  /** Returns the widest subnet that covers an address and whose ban has not ended by `now`, in Unix seconds. */
  widest(address: IpNumber, now: number): IpSubnet | undefined {
    let widest: IpSubnet | undefined;
    for (const { kind, prefix, ends } of this.#levels.values()) {
      if (kind !== address.kind || prefix >= (widest?.prefix ?? Infinity)) continue;
      const base = networkBase(address, prefix);
      if ((ends.get(base) ?? 0) > now) widest = { kind, base, prefix };
    }
    return widest;
  }

  /** Removes a subnet from all bans. Returns false if no ban covered a part of it. */
  cut(hole: IpSubnet): boolean {
    let changed = false;
    for (const { subnet, until } of this.list()) {
      const left = subtractSubnet(subnet, hole);
      if (left.length === 1 && left[0] === subnet) continue;
      changed = true;
      this.delete(subnet);
      for (const part of left) this.set(part, Math.max(until, this.get(part) ?? 0));
    }
    return changed;
  }

  /** Removes the bans that ended by `now`, in Unix seconds. */
  expire(now: number): void {
    for (const { kind, prefix, ends } of this.#levels.values())
      for (const [base, until] of ends) if (now >= until) this.delete({ kind, base, prefix });
  }

  /** Returns the subnets, those of one prefix length together. */
  list(): { subnet: IpSubnet; text: string; until: number }[] {
    return [...this.#levels.values()].flatMap(({ kind, prefix, ends }) =>
      [...ends].map(([base, until]) => {
        const subnet = { kind, base, prefix };
        return { subnet, text: formatSubnet(subnet), until };
      }),
    );
  }

  /** Returns the end of the ban of exactly this subnet. */
  get(subnet: IpSubnet): number | undefined {
    return this.#levels.get(keyOf(subnet))?.ends.get(subnet.base);
  }

  /** Removes the ban of exactly this subnet. */
  delete(subnet: IpSubnet): void {
    const ends = this.#levels.get(keyOf(subnet))?.ends;
    ends?.delete(subnet.base);
    if (ends?.size === 0) this.#levels.delete(keyOf(subnet));
  }
}

/** Bases differ in the bits just above those that a prefix leaves out. */
function newEnds({ kind, prefix }: IpSubnet): Level['ends'] {
  const rest = BigInt(ADDRESS_BITS[kind] - prefix);
  return new ShardedMap((base) => Number((base >> rest) & 0xffn));
}

function keyOf({ kind, prefix }: IpSubnet): string {
  return `${kind}/${prefix}`;
}
