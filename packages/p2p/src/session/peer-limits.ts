import type { RandomSource } from '@monero-node/base';
import { zoneOf } from '../net/address.ts';
import type { RateLimiters } from '../net/rate-limiters.ts';
import type { AdjustableLimits, RateLimits } from '../options/adjustable-limits.ts';
import { shuffle } from '../peers/shuffle.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';

export interface PeerLimitsDependencies {
  readonly limits: AdjustableLimits;
  readonly limiters: RateLimiters;
  readonly peers: PeerSet;
  /** In [0, 1). */
  readonly random: RandomSource;
}

/** Changes the limits while the node runs and applies them to the open connections. */
export class PeerLimits {
  readonly #deps: PeerLimitsDependencies;

  constructor(deps: PeerLimitsDependencies) {
    this.#deps = deps;
  }

  setRate(rate: Partial<RateLimits>): void {
    const { limiters, limits } = this.#deps;
    limits.setRate(rate);
    limiters.up.setRate(limits.rate.up * 1024);
    limiters.down.setRate(limits.rate.down * 1024);
  }

  setOutPeers(count: number): void {
    const { limits } = this.#deps;
    limits.outPeers = count;
    this.#closeSurplus((peer) => !peer.incoming, limits.outPeers);
  }

  setInPeers(count: number): void {
    const { limits } = this.#deps;
    limits.inPeers = count;
    this.#closeSurplus((peer) => peer.incoming, limits.inPeers);
  }

  #closeSurplus(concerns: (peer: Peer) => boolean, limit: number): void {
    const { peers, random } = this.#deps;
    for (const zone of ['public', 'libp2p']) {
      const all = peers.filter((peer) => concerns(peer) && zoneOf(peer.address) === zone);
      shuffle(all, random);
      for (const peer of all.slice(limit)) peers.drop(peer, 'fewer peers are wanted');
    }
  }
}
