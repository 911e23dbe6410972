import { connectionLimitHost } from '../net/ip-address.ts';
import type { NetAddress } from '../net/address.ts';

/**
 * Admits or refuses incoming libp2p connections before their peer ids are known: by IP address, under the same bans
 * and the same limit of connections per host as over plain TCP.
 */
export class InboundGate {
  readonly #isBanned: (host: string) => boolean;
  readonly #maxPerHost: number;
  readonly #inside = new Map<string, number>();

  constructor(options: {
    /** Connections per IP address, or per IPv6 /64. */
    readonly maxPerHost: number;
    readonly isBanned: (host: string) => boolean;
  }) {
    this.#isBanned = options.isBanned;
    this.#maxPerHost = options.maxPerHost;
  }

  /** Returns whether a peer id or an IP address is banned. */
  isBanned(host: string): boolean {
    return this.#isBanned(host);
  }

  /** Admits a connection. Returns a function to call when it is closed, or undefined if it is refused. */
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
