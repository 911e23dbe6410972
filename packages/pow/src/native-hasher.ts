import { Limiter } from './limiter.ts';
import type { CacheHandle, RandomxAddon } from './native-addon.ts';
import { PowUnavailableError } from './errors.ts';
import type { RandomxRequest } from './pow-hasher.ts';

/** Seeds kept ready: the current one and the one before or after it (a cache is 256 MiB). */
const MAX_CACHES = 2;

interface CachedSeed {
  readonly handle: Promise<CacheHandle>;
  /** Hashes that still need the cache. */
  users: number;
}

/** RandomX in light mode through the native addon. */
export class NativePowHasher {
  readonly name = 'RandomX (native, light mode)';
  readonly #addon: RandomxAddon;
  readonly #limiter: Limiter;
  /** In order of last use, oldest first. */
  readonly #seeds = new Map<string, CachedSeed>();
  #closed = false;

  /** `threads`: hashes computed at once; they run on libuv's pool, which has four threads. */
  constructor(addon: RandomxAddon, threads: number) {
    this.#addon = addon;
    this.#limiter = new Limiter(Math.max(1, threads));
  }

  async hash(request: RandomxRequest): Promise<Uint8Array> {
    if (this.#closed) throw new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
    const seed = this.#seed(request.seedHash);
    seed.users++;
    try {
      const handle = await seed.handle;
      return await this.#limiter.run(() => this.#addon.hash(handle, request.blob));
    } catch (error) {
      throw new PowUnavailableError('failed', `RandomX failed: ${(error as Error).message}`);
    } finally {
      seed.users--;
      this.#evict();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const seeds = [...this.#seeds.values()];
    this.#seeds.clear();
    // The addon keeps a cache alive while a hash runs on it.
    for (const seed of seeds) await this.#release(seed);
  }

  #seed(seedHash: Uint8Array): CachedSeed {
    const key = Buffer.from(seedHash).toString('hex');
    let seed = this.#seeds.get(key);
    if (seed === undefined) {
      const handle = this.#limiter.run(() => this.#addon.initCache(seedHash));
      seed = { handle, users: 0 };
      // A cache that could not be made must be tried again by the next hash.
      handle.catch(() => this.#seeds.delete(key));
    }
    this.#seeds.delete(key);
    this.#seeds.set(key, seed);
    return seed;
  }

  #evict(): void {
    for (const [key, seed] of this.#seeds) {
      if (this.#seeds.size <= MAX_CACHES) return;
      if (seed.users > 0) continue;
      this.#seeds.delete(key);
      void this.#release(seed);
    }
  }

  async #release(seed: CachedSeed): Promise<void> {
    try {
      this.#addon.release(await seed.handle);
    } catch {
      // It was never made: nothing to free.
    }
  }
}
