import type { BanTarget } from '../../net/ban-target.ts';
import { hashOfEnd, ShardedMap } from '../../net/sharded-map.ts';
import { SubnetBans } from '../../net/subnet-bans.ts';

/**
 * The hosts and subnets of a ban list, which are banned for ever. They are kept apart from other bans, so that another list can
 * take the place of this one.
 */
export class ListedBans {
  /** Each with the end of its ban. */
  readonly hosts = new ShardedMap<string, number>(hashOfEnd);
  readonly subnets = new SubnetBans();

  get size(): number {
    return this.hosts.size + this.subnets.size;
  }

  add(target: BanTarget): void {
    if (target.kind === 'subnet') this.subnets.set(target.subnet, Infinity);
    else this.hosts.set(target.text, Infinity);
  }

  /** Forgets exactly this host or subnet. Returns false if it was not listed. */
  delete(target: BanTarget): boolean {
    if (target.kind === 'host') return this.hosts.delete(target.text);
    const isListed = this.subnets.get(target.subnet) !== undefined;
    this.subnets.delete(target.subnet);
    return isListed;
  }
}
