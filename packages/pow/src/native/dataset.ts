import { PowUnavailableError } from '../errors.ts';
import { addonError, type MemoryHandle, type RandomxAddon } from './addon.ts';
import type { SeedCaches } from './caches.ts';
import { itemSource } from './item-source.ts';

const MEBIBYTE = 1024 * 1024;
/** Bytes of a dataset. */
const DATASET_SIZE = 2080 * MEBIBYTE;
/** Bytes that must be available for a dataset: some memory must be left for the rest of the machine. */
export const LEAST_DATASET_MEMORY = DATASET_SIZE + 320 * MEBIBYTE;
/** Milliseconds between reports of progress. */
const PROGRESS_INTERVAL = 500;

/** Called with the fraction of a dataset that is computed, 0 to 1. */
export type DatasetProgress = (fraction: number) => void;

/** Options of {@link DatasetKeeper}. */
export interface DatasetKeeperOptions {
  /** Threads that compute a dataset, which takes 10 to 50 seconds of processor time. */
  readonly threads: number;
  readonly onProgress?: DatasetProgress | undefined;
  /** Called when vector code computed other items than librandomx, which then computed all of them. */
  readonly onMismatch?: ((path: string) => void) | undefined;
}

/** The dataset of one seed. */
interface Dataset {
  readonly key: string;
  readonly handle: Promise<MemoryHandle>;
  /** Settles when its memory is freed. */
  readonly gone: Promise<void>;
  /** Returns the fraction of the items that is computed, 0 to 1. */
  readonly progress: () => number;
  /** Ends the computation and frees the memory. */
  readonly free: () => void;
  isReady: boolean;
  users: number;
  /** True once another seed is needed: the dataset is freed when its last user is done. */
  stale: boolean;
}

/**
 * Holds the dataset that searches share. There is one at a time, as it takes 2 GiB: that of another seed is computed
 * when the last search with the previous one has ended.
 */
export class DatasetKeeper {
  readonly #addon: RandomxAddon;
  readonly #caches: SeedCaches;
  readonly #threads: number;
  readonly #onProgress: DatasetProgress;
  readonly #onMismatch: (path: string) => void;
  #current: Dataset | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(addon: RandomxAddon, caches: SeedCaches, options: DatasetKeeperOptions) {
    this.#addon = addon;
    this.#caches = caches;
    this.#threads = options.threads;
    this.#onProgress = options.onProgress ?? (() => undefined);
    this.#onMismatch = options.onMismatch ?? (() => undefined);
  }

  /** Whether the dataset of the seed is computed: {@link use} then begins at once. */
  isReady(seedHash: Uint8Array): boolean {
    return this.#current?.isReady === true && this.#current.key === keyOf(seedHash);
  }

  /** Bytes of memory that the dataset takes now. The system gives them as the items are written. */
  get bytesTaken(): number {
    const dataset = this.#current;
    if (dataset === undefined) return 0;
    return dataset.isReady ? DATASET_SIZE : Math.floor(DATASET_SIZE * dataset.progress());
  }

  /**
   * Begins to compute the dataset of the seed, unless that has been done. Resolves when it is ready.
   *
   * Throws PowUnavailableError ('no-memory', 'closed' after {@link release} or when another seed is needed first).
   */
  async prepare(seedHash: Uint8Array): Promise<void> {
    try {
      await this.#dataset(seedHash).handle;
    } catch (error) {
      throw addonError(error);
    }
  }

  /**
   * Runs `use` with the dataset of the seed and keeps the dataset until `use` settles.
   *
   * Throws PowUnavailableError ('no-memory', 'closed') after {@link release}.
   */
  async use<T>(seedHash: Uint8Array, use: (dataset: MemoryHandle) => Promise<T>): Promise<T> {
    const dataset = this.#dataset(seedHash);
    dataset.users++;
    try {
      return await use(await dataset.handle);
    } catch (error) {
      throw addonError(error);
    } finally {
      dataset.users--;
      if (dataset.stale && dataset.users === 0) dataset.free();
    }
  }

  /**
   * Runs `use` with the dataset of the seed if it is ready, and keeps it until `use` settles. Returns undefined otherwise, and
   * computes nothing.
   */
  useReady<T>(
    seedHash: Uint8Array,
    use: (dataset: MemoryHandle) => Promise<T>,
  ): Promise<T> | undefined {
    return this.isReady(seedHash) ? this.use(seedHash, use) : undefined;
  }

  /** Ends a computation, and frees the memory once no search uses it. */
  async release(): Promise<void> {
    this.#retire(true);
    await this.#last;
  }

  #dataset(seedHash: Uint8Array): Dataset {
    const key = keyOf(seedHash);
    if (this.#current?.key === key) return this.#current;
    this.#retire(false);
    const dataset = this.#make(key, seedHash);
    this.#current = dataset;
    this.#last = dataset.gone;
    dataset.handle.then(
      () => (dataset.isReady = true),
      () => {
        if (this.#current === dataset) this.#current = undefined;
      },
    );
    return dataset;
  }

  /** Stops handing out the current dataset; with `now`, also to callers that wait for its computation. */
  #retire(now: boolean): void {
    const dataset = this.#current;
    if (dataset === undefined) return;
    this.#current = undefined;
    dataset.stale = true;
    if (now || dataset.users === 0) dataset.free();
  }

  #make(key: string, seedHash: Uint8Array): Dataset {
    const before = this.#last;
    const task = this.#addon.createTask();
    let freed = false;
    let wake = (): void => undefined;
    const wanted = new Promise<void>((resolve) => (wake = resolve));
    const free = (): void => {
      freed = true;
      this.#addon.cancel(task);
      wake();
    };
    const progress = (): number => {
      const [done, total] = this.#addon.progress(task);
      return total === 0 ? 0 : done / total;
    };
    const handle = before.then(async () => {
      if (freed) throw new PowUnavailableError('closed', 'the dataset is not wanted any more');
      const timer = setInterval(() => this.#onProgress(progress()), PROGRESS_INTERVAL).unref();
      try {
        const { path, programs } = await itemSource(this.#addon, seedHash);
        const dataset = await this.#caches.use(seedHash, (cache) =>
          this.#addon.initDataset(cache, this.#threads, task, path, programs),
        );
        if (this.#addon.describe(dataset).hasDiffered) this.#onMismatch(path);
        return dataset;
      } finally {
        clearInterval(timer);
      }
    });
    const gone = handle.then(
      async (memory) => {
        this.#onProgress(1);
        await wanted;
        await this.#addon.release(memory);
      },
      () => undefined, // It was never made, so there is nothing to free.
    );
    return { key, handle, gone, progress, free, isReady: false, users: 0, stale: false };
  }
}

function keyOf(seedHash: Uint8Array): string {
  return Buffer.from(seedHash).toString('hex');
}
