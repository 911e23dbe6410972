import type { NonceSearcher } from '../pow-hasher.ts';
import type { SharedEngine } from './shared-engine.ts';

/** The engine that computes all hashes, and its replacements once it is no longer to be trusted. */
export class MainEngine {
  readonly #create: () => SharedEngine;
  #current: SharedEngine;
  /** Engines that searches for nonces still use. */
  readonly #kept: SharedEngine[] = [];
  #hasSearchers = false;

  /** Throws the errors of `create`. */
  constructor(create: () => SharedEngine) {
    this.#create = create;
    this.#current = create();
  }

  get current(): SharedEngine {
    return this.#current;
  }

  createNonceSearcher(): NonceSearcher | undefined {
    const searcher = this.#current.createNonceSearcher();
    if (searcher !== undefined) this.#hasSearchers = true;
    return searcher;
  }

  /**
   * Replaces `failed` by a new engine, whose cache is made anew, unless that has been done. The old one is closed once
   * it is idle.
   */
  renew(failed: SharedEngine): void {
    if (failed !== this.#current) return;
    this.#current = this.#create();
    if (this.#hasSearchers) this.#kept.push(failed);
    else failed.retire();
    this.#hasSearchers = false;
  }

  async close(): Promise<void> {
    const all = [...this.#kept.splice(0), this.#current];
    await Promise.all(all.map((engine) => engine.close()));
  }
}
