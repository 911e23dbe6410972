import { availableMemory } from '@monero-node/base/machine';
import { PowUnavailableError } from '../errors.ts';
import type { ClosableSearcher } from '../composite-hasher.ts';
import type {
  NonceSearch,
  NonceSearchResult,
  RandomxRequest,
  RandomxVersion,
} from '../pow-hasher.ts';
import type { MemoryHandle, RandomxAddon, TaskHandle } from './addon.ts';
import type { SeedCaches } from './caches.ts';
import { isRandomx } from '../randomx.ts';
import { DatasetKeeper, LEAST_DATASET_MEMORY, type DatasetProgress } from './dataset.ts';

/** Most nonces that one call of the addon can try. */
const MAX_COUNT = 2 ** 32 - 1;

/** `fast` waits for a dataset of 2080 MiB; `light` uses a cache of 256 MiB and is ten times slower. */
export type MiningMode = 'fast' | 'light';

/** Options of {@link NativeNonceSearcher}. */
export interface NativeSearchOptions {
  /**
   * `auto` by default: if there is enough memory, light until the dataset is computed, which the first search begins, and
   * fast from then on.
   */
  readonly mode?: MiningMode | 'auto';
  /** Threads that compute a dataset. */
  readonly datasetThreads: number;
  readonly onDatasetProgress?: DatasetProgress;
  /** Returns the bytes that can be allocated now; by default the system's figure. */
  readonly availableMemory?: () => number;
  /** Returns whether librandomx computes a version of RandomX; by default it computes version 1 alone. */
  readonly supports?: (version: RandomxVersion) => Promise<boolean>;
}

/** Searches on the addon's threads, many hashes a call. A search ends early when the next one would be much faster. */
export class NativeNonceSearcher implements ClosableSearcher {
  readonly supports: (version: RandomxVersion) => Promise<boolean>;
  readonly #addon: RandomxAddon;
  readonly #caches: SeedCaches;
  readonly #keeper: DatasetKeeper;
  readonly #availableMemory: () => number;
  readonly #wantedMode: MiningMode | 'auto';
  readonly #running = new Set<TaskHandle>();
  /** Chosen by the first search after {@link release}. */
  #mode: MiningMode | undefined;
  #closed = false;

  constructor(addon: RandomxAddon, caches: SeedCaches, options: NativeSearchOptions) {
    this.#addon = addon;
    this.#caches = caches;
    this.supports = options.supports ?? ((version) => Promise.resolve(version === 'randomx'));
    this.#wantedMode = options.mode ?? 'auto';
    this.#availableMemory = options.availableMemory ?? availableMemory;
    this.#keeper = new DatasetKeeper(addon, caches, {
      threads: options.datasetThreads,
      ...(options.onDatasetProgress && { onProgress: options.onDatasetProgress }),
    });
  }

  get name(): string {
    return `RandomX (native, ${this.#mode ?? 'fast'} mode)`;
  }

  /**
   * Throws RangeError for a request that is not RandomX. A version that it does not support is searched as version 1.
   * Throws TypeError for numbers out of range: 32 bits, 128 for the difficulty, the nonce inside the blob.
   * Throws PowUnavailableError ('closed', 'no-memory').
   */
  async search(search: NonceSearch): Promise<NonceSearchResult> {
    const { request, signal } = search;
    if (!isRandomx(request)) throw new RangeError('only RandomX is searched here');
    this.#assertOpen();
    if (signal?.aborted === true) return { hashes: 0 };
    const task = this.#addon.createTask();
    let stop = (): void => undefined;
    const stopped = new Promise<NonceSearchResult>((resolve) => {
      stop = () => {
        this.#addon.cancel(task);
        // A search that waits for its memory has computed no hashes yet; one that runs reports its count.
        if (!this.#running.has(task)) resolve({ hashes: 0 });
      };
    });
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([this.#run(search, request, task), stopped]);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async release(): Promise<void> {
    await this.#keeper.release();
    this.#mode = undefined;
  }

  /** Ends the searches under way and frees all memory. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#running) this.#addon.cancel(task);
    await this.release();
  }

  #run(
    search: NonceSearch,
    { seedHash }: RandomxRequest,
    task: TaskHandle,
  ): Promise<NonceSearchResult> {
    const run = (isPatient: boolean) => (memory: MemoryHandle) =>
      this.#searchIn(memory, search, task, isPatient);
    this.#mode ??= this.#chooseMode();
    if (this.#mode === 'light') return this.#caches.use(seedHash, run(false));
    if (this.#wantedMode === 'fast' || this.#keeper.isReady(seedHash)) {
      return this.#keeper.use(seedHash, run(false));
    }
    this.#prepare(seedHash, task);
    return this.#caches.use(seedHash, run(true));
  }

  /** Computes the dataset, and then ends a search that goes on without it: the next one is faster. */
  #prepare(seedHash: Uint8Array, task: TaskHandle): void {
    this.#keeper.prepare(seedHash).then(
      () => this.#addon.cancel(task),
      (error: unknown) => {
        const isShort = error instanceof PowUnavailableError && error.code === 'no-memory';
        if (isShort) this.#mode = 'light';
      },
    );
  }

  async #searchIn(
    memory: MemoryHandle,
    search: NonceSearch,
    task: TaskHandle,
    isPatient: boolean,
  ): Promise<NonceSearchResult> {
    this.#assertOpen();
    // Many searches may have been aborted while they waited for their memory: they need no thread.
    if (search.signal?.aborted === true) return { hashes: 0 };
    const { request, nonceOffset, startNonce, stride, difficulty } = search;
    const count = Math.min(search.count, MAX_COUNT);
    this.#running.add(task);
    try {
      return await this.#addon.search(
        memory,
        task,
        request.blob,
        nonceOffset,
        startNonce,
        stride,
        count,
        difficulty,
        isPatient,
        request.kind === 'randomx-v2',
        isRandomx(request) && request.commitment === true,
      );
    } finally {
      this.#running.delete(task);
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new PowUnavailableError('closed', 'the nonce searcher is closed');
  }

  #chooseMode(): MiningMode {
    if (this.#wantedMode !== 'auto') return this.#wantedMode;
    return this.#availableMemory() >= LEAST_DATASET_MEMORY ? 'fast' : 'light';
  }
}
