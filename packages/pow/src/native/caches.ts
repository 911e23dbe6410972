import { Semaphore } from '@monero-node/base';
import { addonError, type MemoryHandle, type RandomxAddon } from './addon.ts';
import { PowUnavailableError } from '../errors.ts';

/** Seeds kept ready: the current one and the one before or after it (a cache is 256 MiB). */
const MAX_CACHES = 2;
/** Most caches at any moment, even when many seeds are requested at once; the other requests wait. */
const MAX_LIVE_CACHES = 3;

interface CachedSeed {
  readonly handle: Promise<MemoryHandle>;
  /** Releases the cache. */
  readonly free: () => void;
  /** Uses that still need the cache. */
  users: number;
}

/** Options of {@link SeedCaches}. */
export interface SeedCacheOptions {
  /** RANDOMX_FLAGS not to be used. */
  readonly disabledFlags?: number;
}

/** Holds the RandomX caches of the seeds in use. The two used last are kept, so that an epoch change makes no cache twice. */
export class SeedCaches {
  readonly #addon: RandomxAddon;
  readonly #disabledFlags: number;
  /** Ordered by last use, oldest first. */
  readonly #seeds = new Map<string, CachedSeed>();
  readonly #live = new Semaphore(MAX_LIVE_CACHES);
  readonly #lives = new Set<Promise<void>>();
  #idle: (() => void) | undefined;
  #users = 0;
  #closing: Promise<void> | undefined;

  constructor(addon: RandomxAddon, { disabledFlags = 0 }: SeedCacheOptions = {}) {
    this.#addon = addon;
    this.#disabledFlags = disabledFlags;
  }

  /**
   * Runs `use` with the cache of the seed and keeps the cache until `use` settles.
   *
   * Throws PowUnavailableError ('closed', 'no-memory', 'failed').
   */
  async use<T>(seedHash: Uint8Array, use: (cache: MemoryHandle) => Promise<T>): Promise<T> {
    if (this.#closing) {
      throw new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
    }
    const seed = this.#seed(seedHash);
    seed.users++;
    this.#users++;
    try {
      return await use(await seed.handle);
    } catch (error) {
      throw addonError(error);
    } finally {
      seed.users--;
      this.#users--;
      this.#evict();
      if (this.#users === 0) this.#idle?.();
    }
  }

  /** Waits for the uses to end, then frees all memory. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#users > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    for (const seed of this.#seeds.values()) seed.free();
    this.#seeds.clear();
    await Promise.all(this.#lives);
  }

  #seed(seedHash: Uint8Array): CachedSeed {
    const key = Buffer.from(seedHash).toString('hex');
    const known = this.#seeds.get(key);
    const seed = known ?? this.#make(seedHash);
    this.#seeds.delete(key);
    this.#seeds.set(key, seed);
    // If a cache could not be made, the next hash must try again.
    if (known === undefined) {
      seed.handle.catch(() => {
        if (this.#seeds.get(key) === seed) this.#seeds.delete(key);
      });
    }
    return seed;
  }

  /** Makes a cache as soon as the limit allows another one, and releases it once `free` was called. */
  #make(seedHash: Uint8Array): CachedSeed {
    let free = (): void => undefined;
    const freed = new Promise<void>((resolve) => (free = resolve));
    const handle = new Promise<MemoryHandle>((resolve, reject) => {
      const life = this.#live.run(async () => {
        try {
          const cache = await this.#addon.initCache('rx/0', seedHash, this.#disabledFlags);
          resolve(cache);
          await freed;
          await this.#addon.release(cache);
        } catch (error) {
          reject(error as Error);
        }
      });
      this.#lives.add(life);
      void life.then(() => this.#lives.delete(life));
    });
    return { handle, free, users: 0 };
  }

  #evict(): void {
    for (const [key, seed] of this.#seeds) {
      if (this.#seeds.size <= MAX_CACHES) return;
      if (seed.users > 0) continue;
      this.#seeds.delete(key);
      seed.free();
    }
  }
}
