import { randomBelow } from '@monero-node/base';
import type { Logger, MillisecondClock, RandomSource } from '@monero-node/base';
import type { NetAddress } from '../net/address.ts';

/** Milliseconds between visits to seeds, so that a node without peers does not flood them. */
const SEED_PAUSE_MS = 10_000;

export interface SeedVisitsDeps {
  /** Seeds, looked up when they are first needed. */
  seeds: () => Promise<readonly NetAddress[]>;
  /** Connects, takes the peer list and disconnects. Resolves with false if that failed; never rejects. */
  visit: (address: NetAddress) => Promise<boolean>;
  isStopped: () => boolean;
  logger: Logger;
  now: MillisecondClock;
  random: RandomSource;
}

/**
 * Takes peer lists from seed nodes.
 * Source: connect_to_seed in src/p2p/net_node.inl
 */
export class SeedVisits {
  readonly #deps: SeedVisitsDeps;
  #visiting = false;
  #lastVisit = -Infinity;
  #nextSeed = 0;

  constructor(deps: SeedVisitsDeps) {
    this.#deps = deps;
  }

  /** Visits seeds in turn until one answers. Does nothing while a visit lasts and for a pause after it. */
  async visitNext(): Promise<void> {
    const { isStopped, logger, now, random, seeds, visit } = this.#deps;
    if (this.#visiting || now() - this.#lastVisit < SEED_PAUSE_MS) return;
    this.#visiting = true;
    try {
      const all = await seeds();
      if (all.length === 0) return;
      this.#nextSeed ||= randomBelow(all.length, random);
      for (let tries = 0; tries < all.length && !isStopped(); tries++) {
        const seed = all[this.#nextSeed++ % all.length];
        if (seed && (await visit(seed))) return;
      }
      logger.warn('no seed node answered');
    } finally {
      this.#visiting = false;
      this.#lastVisit = now();
    }
  }
}
