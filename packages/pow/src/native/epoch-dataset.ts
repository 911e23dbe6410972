import { availableMemory } from '@monero-node/base/machine';
import { PowUnavailableError } from '../errors.ts';
import type { DatasetEvent, DatasetUse } from '../pow-hasher.ts';
import type { MemoryHandle, RandomxAddon } from './addon.ts';
import type { SeedCaches } from './caches.ts';
import { DatasetKeeper, LEAST_DATASET_MEMORY } from './dataset.ts';

/** Bytes that must be available: with `auto` two thirds of them are left for everything else. */
const MEMORY_NEEDED = {
  auto: 6 * 2 ** 30,
  always: LEAST_DATASET_MEMORY,
  keep: LEAST_DATASET_MEMORY,
};
/**
 * Blocks of one seed that are worth a dataset. Computing it costs as much as 300 to 600 hashes in light mode, by the vectors
 * of the processor.
 */
const WORTHWHILE_BLOCKS = 1024;
/**
 * Most milliseconds that hashes wait for the dataset. Hashing in light mode meanwhile would take its processor time, but on a
 * slow machine the chain must go on.
 */
const LONGEST_WAIT_MS = 60_000;
/** Milliseconds without a hash after which the memory is freed: the blocks that were expected did not come. */
const IDLE_MS = 600_000;

/** The dataset of the seed whose blocks are expected. */
interface Expected {
  readonly key: string;
  readonly seedHash: Uint8Array;
  /** True when the dataset can be used, false when it will never be there or the wait took too long. Never rejects. */
  readonly ready: Promise<boolean>;
}

export interface EpochDatasetOptions {
  readonly use: DatasetUse;
  /** Threads that compute a dataset. */
  readonly threads: number;
  readonly onEvent?: ((event: DatasetEvent) => void) | undefined;
  /** Returns the bytes that can be allocated now; by default the system's figure. */
  readonly availableMemory?: (() => number) | undefined;
  /** Most milliseconds that hashes wait for the dataset; 60,000 when absent. */
  readonly longestWait?: number | undefined;
}

/**
 * The dataset with which blocks of one seed are verified when very many of them are expected: a hash then takes a seventh to a
 * tenth of the time. Whatever goes wrong with it, the caller hashes in light mode.
 */
export class EpochDataset {
  readonly #keeper: DatasetKeeper;
  readonly #options: EpochDatasetOptions;
  readonly #hasVectors: boolean;
  #expected: Expected | undefined;
  /** The seed for which a dataset was refused, in hex: it is not tried again. */
  #refused: string | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(addon: RandomxAddon, caches: SeedCaches, options: EpochDatasetOptions) {
    this.#options = options;
    // librandomx alone takes as long for a dataset as for the hashes of a whole epoch.
    this.#hasVectors = addon.itemPaths().length > 0;
    const { threads } = options;
    this.#keeper = new DatasetKeeper(addon, caches, {
      threads,
      onMismatch: (path) => options.onEvent?.({ kind: 'mismatch', path }),
    });
  }

  /**
   * Says that about so many more blocks of a seed (32 bytes) are going to be hashed. Many begin a dataset, with `keep` any. It is freed
   * when none are expected any more, or too few of another seed.
   */
  expect(seedHash: Uint8Array, blocks: number): void {
    const { use } = this.#options;
    if (this.#isClosed || use === 'never' || !this.#hasVectors) return;
    const key = Buffer.from(seedHash).toString('hex');
    if (this.#expected?.key === key && blocks > 0) return;
    // The next dataset gets the memory of this one.
    const taken = this.#keeper.bytesTaken;
    this.#release();
    const isKept = use === 'keep';
    if (blocks < (isKept ? 1 : WORTHWHILE_BLOCKS) || this.#refused === key) return;
    const available = this.#availableMemory() + taken;
    const needed = MEMORY_NEEDED[use];
    if (available < needed) {
      this.#refused = key;
      this.#options.onEvent?.({ kind: 'no-memory', available, needed });
      return;
    }
    this.#options.onEvent?.({ kind: 'started', blocks, isKept });
    const dataset = this.#keeper.prepare(seedHash).then(
      () => true,
      (error: unknown) => this.#failed(expected, error),
    );
    const wait = this.#options.longestWait ?? LONGEST_WAIT_MS;
    const expected: Expected = { key, seedHash, ready: withinMilliseconds(wait, dataset) };
    this.#expected = expected;
    this.#restartIdle();
  }

  /** Resolves once the dataset of the seed is ready, or when it is not to be waited for. Never rejects. */
  async ready(seedHash: Uint8Array): Promise<void> {
    // A block at the top is worth more than what its hash costs in light mode.
    if (this.#options.use === 'keep') return;
    if (this.#isExpected(seedHash)) await this.#expected?.ready;
  }

  /** Runs `use` with the dataset of the seed. Returns undefined when there is none, or not yet. */
  use<T>(seedHash: Uint8Array, use: (dataset: MemoryHandle) => Promise<T>): Promise<T> | undefined {
    if (!this.#isExpected(seedHash)) return undefined;
    const used = this.#keeper.useReady(seedHash, use);
    if (used !== undefined) this.#restartIdle();
    return used;
  }

  /** Ends a computation, and frees the memory. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#release();
    await this.#keeper.release();
  }

  #isExpected(seedHash: Uint8Array): boolean {
    return this.#expected !== undefined && Buffer.from(seedHash).equals(this.#expected.seedHash);
  }

  #failed(expected: Expected, error: unknown): false {
    // An abandoned computation may end when the same seed is expected again: that is none of its business.
    if (this.#expected !== expected) return false;
    clearTimeout(this.#idle);
    this.#expected = undefined;
    if (error instanceof PowUnavailableError && error.code === 'closed') return false;
    this.#refused = expected.key;
    this.#options.onEvent?.({ kind: 'failed', error });
    return false;
  }

  #release(): void {
    clearTimeout(this.#idle);
    void this.#keeper.release();
    if (this.#expected === undefined) return;
    this.#expected = undefined;
    this.#options.onEvent?.({ kind: 'freed' });
  }

  #restartIdle(): void {
    clearTimeout(this.#idle);
    if (this.#expected === undefined || this.#options.use === 'keep') return;
    this.#idle = setTimeout(() => this.#release(), IDLE_MS).unref();
  }

  #availableMemory(): number {
    return (this.#options.availableMemory ?? availableMemory)();
  }
}

/** Returns false when `work` takes longer. */
function withinMilliseconds(milliseconds: number, work: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds).unref();
    void work.then((outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
}
