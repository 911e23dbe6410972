import { Semaphore } from '@monero-node/base';
import type { RandomxRequest } from '../pow-hasher.ts';
import { RANDOMX_FLAGS, type MemoryHandle, type RandomxAddon } from './addon.ts';
import { MAX_CACHES, SeedCaches, type SeedCacheOptions } from './caches.ts';
import { EpochDataset, type EpochDatasetOptions } from './epoch-dataset.ts';

/** Options of {@link NativeRandomxHasher}. */
export interface NativeHasherOptions extends SeedCacheOptions {
  /** The dataset for many blocks of one seed; none when absent. */
  readonly dataset?: EpochDatasetOptions;
}

/** Computes RandomX with the native addon: in light mode, or with a dataset while very many blocks of a seed are expected. */
export class NativeRandomxHasher {
  readonly name: string;
  readonly addon: RandomxAddon;
  /** The seed caches, from which the mining dataset is made too. */
  readonly caches: SeedCaches;
  /** RANDOMX_FLAGS not to be used. */
  readonly disabledFlags: number;
  readonly seedsKept = MAX_CACHES;
  readonly #dataset: EpochDataset | undefined;
  readonly #running: Semaphore;

  /** @param threads number of hashes computed at the same time */
  constructor(addon: RandomxAddon, threads: number, options: NativeHasherOptions = {}) {
    this.addon = addon;
    this.disabledFlags = options.disabledFlags ?? 0;
    this.name = `RandomX (native, light mode, ${featuresOf(addon.flags() & ~this.disabledFlags)})`;
    this.caches = new SeedCaches(addon, options);
    const { dataset } = options;
    this.#dataset = dataset && new EpochDataset(addon, this.caches, dataset);
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
    const compute = (memory: MemoryHandle) =>
      this.#running.run(() => this.addon.hash(memory, blob, kind === 'randomx-v2'));
    return this.caches.use(seedHash, async (cache) => {
      // Where the dataset is of no use, be it for lack of 2 MiB for another machine, light mode may be.
      const fast = await this.#dataset?.use(seedHash, compute)?.catch(() => undefined);
      return fast ?? compute(cache);
    });
  }

  /** See `PowHasher.expect`. */
  expect(seedHash: Uint8Array, blocks: number): void {
    this.#dataset?.expect(seedHash, blocks);
  }

  /** See `PowHasher.ready`. */
  async ready(seedHash: Uint8Array): Promise<void> {
    await this.#dataset?.ready(seedHash);
  }

  /** Makes the cache of a seed. Throws as `hash` does. */
  prepare(seedHash: Uint8Array): Promise<void> {
    return this.caches.use(seedHash, () => Promise.resolve());
  }

  /** Frees the memory once running hashes are done. */
  async close(): Promise<void> {
    await this.#dataset?.close();
    await this.caches.close();
  }
}

function featuresOf(flags: number): string {
  const compiler = (flags & RANDOMX_FLAGS.jit) === 0 ? 'interpreter' : 'JIT';
  return `${compiler}, ${(flags & RANDOMX_FLAGS.hardAes) === 0 ? 'software' : 'hardware'} AES`;
}
