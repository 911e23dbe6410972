import { Semaphore } from '@monero-node/base';
import type { RandomxRequest } from '../pow-hasher.ts';
import { RANDOMX_FLAGS, type RandomxAddon } from './addon.ts';
import { MAX_CACHES, SeedCaches, type SeedCacheOptions } from './caches.ts';

/** Computes RandomX in light mode with the native addon. */
export class NativeRandomxHasher {
  readonly name: string;
  readonly addon: RandomxAddon;
  /** The seed caches, from which the mining dataset is made too. */
  readonly caches: SeedCaches;
  /** RANDOMX_FLAGS not to be used. */
  readonly disabledFlags: number;
  readonly seedsKept = MAX_CACHES;
  readonly #running: Semaphore;

  /** @param threads number of hashes computed at the same time */
  constructor(addon: RandomxAddon, threads: number, options: SeedCacheOptions = {}) {
    this.addon = addon;
    this.disabledFlags = options.disabledFlags ?? 0;
    this.name = `RandomX (native, light mode, ${featuresOf(addon.flags() & ~this.disabledFlags)})`;
    this.caches = new SeedCaches(addon, options);
    this.#running = new Semaphore(Math.max(1, threads));
  }

  get seedsHeld(): number {
    return this.caches.size;
  }

  /**
   * Returns the 32-byte hash; that of version 1 for `randomx-v2` too if librandomx has no version 2. Throws
   * PowUnavailableError ('closed', 'no-memory', 'failed').
   */
  hash({ kind, seedHash, blob }: RandomxRequest): Promise<Uint8Array> {
    return this.caches.use(seedHash, (cache) =>
      this.#running.run(() => this.addon.hash(cache, blob, kind === 'randomx-v2')),
    );
  }

  /** Makes the cache of a seed. Throws as `hash` does. */
  prepare(seedHash: Uint8Array): Promise<void> {
    return this.caches.use(seedHash, () => Promise.resolve());
  }

  /** Frees the memory once running hashes are done. */
  close(): Promise<void> {
    return this.caches.close();
  }
}

function featuresOf(flags: number): string {
  const compiler = (flags & RANDOMX_FLAGS.jit) === 0 ? 'interpreter' : 'JIT';
  return `${compiler}, ${(flags & RANDOMX_FLAGS.hardAes) === 0 ? 'software' : 'hardware'} AES`;
}
