import { Semaphore } from '@monero-node/base';
import type { RandomxRequest } from '../pow-hasher.ts';
import type { RandomxAddon } from './addon.ts';
import { SeedCaches, type SeedCacheOptions } from './caches.ts';

/** RandomX in light mode through the native addon. */
export class NativeRandomxHasher {
  readonly name = 'RandomX (native, light mode)';
  readonly addon: RandomxAddon;
  /** Also the mining dataset is made from these. */
  readonly caches: SeedCaches;
  readonly #running: Semaphore;

  /** `threads`: hashes computed at once. */
  constructor(addon: RandomxAddon, threads: number, options: SeedCacheOptions = {}) {
    this.addon = addon;
    this.caches = new SeedCaches(addon, options);
    this.#running = new Semaphore(Math.max(1, threads));
  }

  /** @throws PowUnavailableError 'closed', 'no-memory', 'failed' */
  hash({ seedHash, blob }: RandomxRequest): Promise<Uint8Array> {
    return this.caches.use(seedHash, (cache) =>
      this.#running.run(() => this.addon.hash(cache, blob)),
    );
  }

  /** Gives memory back once running hashes are done. */
  close(): Promise<void> {
    return this.caches.close();
  }
}
