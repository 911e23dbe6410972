import { monotonicMilliseconds, Semaphore, type MillisecondClock } from '@monero-node/base';
import { addonError, type MemoryHandle, type RandomxAddon } from './addon.ts';
import { PowUnavailableError } from '../errors.ts';

/** Seeds kept ready: the current one and the one before or after it (a cache is 256 MiB). */
export const MAX_CACHES = 2;
/** Milliseconds after which the cache of a seed is freed that is not the one used last: a seed that has been replaced. */
const IDLE_MS = 600_000;
/** Most caches at any moment, even when many seeds are requested at once; the other requests wait. */
const MAX_LIVE_CACHES = 3;

interface CachedSeed {
  readonly handle: Promise<MemoryHandle>;
  /** Releases the cache. */
  readonly free: () => void;
  /** Uses that still need the cache. */
  users: number;
  /** When the last use ended, milliseconds. */
  usedAt: number;
}

/** Options of {@link SeedCaches}. */
export interface SeedCacheOptions {
  /** RANDOMX_FLAGS not to be used. */
  readonly disabledFlags?: number;
  readonly now?: MillisecondClock;
}

/**
 * Holds the RandomX caches of the seeds in use. The two used last are kept, so that an epoch change makes no cache twice;
 * the older one is freed ten minutes after its last use.
 */
export class SeedCaches {
  readonly #addon: RandomxAddon;
  readonly #disabledFlags: number;
  readonly #now: MillisecondClock;
  #sweep: NodeJS.Timeout | undefined;
  /** Ordered by last use, oldest first. */
  readonly #seeds = new Map<string, CachedSeed>();
  readonly #live = new Semaphore(MAX_LIVE_CACHES);
  readonly #lives = new Set<Promise<void>>();
  #idle: (() => void) | undefined;
  #users = 0;
  #closing: Promise<void> | undefined;

  constructor(
    addon: RandomxAddon,
    { disabledFlags = 0, now = monotonicMilliseconds }: SeedCacheOptions = {},
  ) {
    this.#addon = addon;
    this.#disabledFlags = disabledFlags;
    this.#now = now;
  }

  /** Number of caches held. */
  get size(): number {
    return this.#seeds.size;
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
      seed.usedAt = this.#now();
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
    clearTimeout(this.#sweep);
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
    return { handle, free, users: 0, usedAt: this.#now() };
  }

  #evict(): void {
    for (const [key, seed] of this.#seeds) {
      if (this.#seeds.size <= 1) break;
      const isIdle = this.#now() - seed.usedAt >= IDLE_MS;
      if (seed.users > 0 || (this.#seeds.size <= MAX_CACHES && !isIdle)) continue;
      this.#seeds.delete(key);
      seed.free();
    }
    if (this.#seeds.size > 1 && this.#closing === undefined) this.#sweepLater();
  }

  /** Looks for idle caches again when one may have become so. */
  #sweepLater(): void {
    this.#sweep ??= setTimeout(() => {
      this.#sweep = undefined;
      this.#evict();
    }, IDLE_MS).unref();
  }
}
