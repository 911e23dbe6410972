import { connectionLimitHost } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { BanList } from '../peers/bans.ts';

/**
 * Says who may come in, before it is known who they are: by IP address, under the same bans and the
 * same limit of connections from one host as over plain TCP.
 */
export class Doorkeeper {
  readonly #bans: BanList;
  readonly #maxPerHost: number;
  readonly #inside = new Map<string, number>();

  constructor(bans: BanList, maxConnectionsPerIp: number) {
    this.#bans = bans;
    this.#maxPerHost = maxConnectionsPerIp;
  }

  /** Whether a peer id or an IP address is banned. */
  isBanned(host: string): boolean {
    return this.#bans.secondsLeft(host) !== undefined;
  }

  /** Lets a connection in: what to call when it is gone, or undefined when it is refused. */
  enter(address: NetAddress): (() => void) | undefined {
    const host = connectionLimitHost(address);
    const inside = this.#inside.get(host) ?? 0;
    if (inside >= this.#maxPerHost || this.isBanned(address.host)) return undefined;
    this.#inside.set(host, inside + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const others = (this.#inside.get(host) ?? 1) - 1;
      if (others > 0) this.#inside.set(host, others);
      else this.#inside.delete(host);
    };
  }
}
