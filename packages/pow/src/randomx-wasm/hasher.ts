import { availableParallelism, startRandomxWorker } from '#platform';
import type { PoolWorker, WorkerPool } from '@monero-node/base';
import type { FamilyHasher } from '../composite-hasher.ts';
import { createPowWorkerPool } from '../create-worker-pool.ts';
import { PowInputError } from '../errors.ts';
import type { RandomxRequest } from '../pow-hasher.ts';
import { MAX_KEY_SIZE } from './blake-generator.ts';
import type { RandomxCache } from './cache.ts';
import { CacheStore } from './cache-store.ts';
import type { CacheJob, HashJob, RandomxJob, RandomxWorkerData } from './messages.ts';
import { compileArgon2d, compileMachine } from './modules.ts';

export interface RandomxWasmOptions {
  /** Number of hashes computed at the same time; by default one per core. Each thread takes about 10 MiB. */
  readonly threads?: number;
  /** Number of seeds whose caches are kept, 256 MiB each; 1 by default. */
  readonly caches?: number;
  readonly startWorker?: (data: RandomxWorkerData) => PoolWorker;
}

/** Computes both versions of RandomX in light mode in WebAssembly, on worker threads that share their caches. */
class RandomxWasmHasher implements FamilyHasher<RandomxRequest> {
  readonly name = 'RandomX (WebAssembly, light mode)';
  readonly #pool: WorkerPool<RandomxJob, RandomxCache | Uint8Array>;
  readonly #caches: CacheStore;
  readonly seedsKept: number;

  constructor(options: RandomxWasmOptions) {
    const data: RandomxWorkerData = {
      argon2d: compileArgon2d(),
      machine: compileMachine(),
    };
    const { threads = availableParallelism(), caches = 1, startWorker } = options;
    if (!Number.isInteger(caches) || caches < 1) {
      throw new RangeError('RandomX needs at least one cache');
    }
    this.seedsKept = caches;
    const start = startWorker ?? startRandomxWorker;
    this.#pool = createPowWorkerPool(threads, () => start(data));
    this.#caches = new CacheStore(caches, async (memory, key) => {
      const job: CacheJob = { kind: 'cache', memory, key: Uint8Array.from(key) };
      return (await this.#pool.run(job)) as RandomxCache;
    });
  }

  get seedsHeld(): number {
    return this.#caches.size;
  }

  /**
   * Returns the 32-byte hash.
   *
   * Throws PowInputError when the seed hash has more than 60 bytes.
   * Throws PowUnavailableError ('closed', 'no-memory', 'worker-crashed').
   */
  async hash(request: RandomxRequest): Promise<Uint8Array> {
    if (request.seedHash.length > MAX_KEY_SIZE) {
      throw new PowInputError('a RandomX key has at most 60 bytes');
    }
    // A copy: posting a view would clone the whole buffer behind it.
    const blob = Uint8Array.from(request.blob);
    const version = request.kind;
    return this.#caches.use(request.seedHash, async ({ cache, number }) => {
      const job: HashJob = { kind: 'hash', cache, cacheNumber: number, blob, version };
      return (await this.#pool.run(job)) as Uint8Array;
    });
  }

  /** Makes the cache of a seed. Throws as `hash` does. */
  prepare(seedHash: Uint8Array): Promise<void> {
    return this.#caches.use(seedHash, () => Promise.resolve());
  }

  /** Ends the threads at once and rejects the hashes that are not done. */
  async close(): Promise<void> {
    this.#caches.close();
    await this.#pool.close();
  }
}

/**
 * Returns a RandomX hasher without native code. Threads and caches are created with the first hash. Browsers share the
 * caches with threads only on pages that are cross-origin isolated.
 *
 * Throws PowUnavailableError ('no-wasm').
 * Throws RangeError unless `threads` and `caches` are positive integers.
 */
export function createRandomxWasmHasher(
  options: RandomxWasmOptions = {},
): FamilyHasher<RandomxRequest> & { readonly name: string } {
  return new RandomxWasmHasher(options);
}
