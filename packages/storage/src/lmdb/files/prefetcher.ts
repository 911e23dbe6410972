import { machineLimits } from '@monero-node/base/machine';
import { Semaphore } from '@monero-node/base';
import type { Environment } from './environment.ts';
import type { TableKey, TableName } from '../tables/tables.ts';

/** Most rows read by one task of a thread. A disk with moving heads takes a quarter of a second for them. */
const BATCH = 32;
/** Threads of Node for such tasks, unless UV_THREADPOOL_SIZE is set. */
const USUAL_THREADS = 4;
/** LMDB has 126 places for readers, and lmdb's threads do not notice that there is none left. */
const MOST_TASKS = 31;
/** Part of the machine's memory in which the system keeps a store without reading it again. */
const KEPT_SHARE = 1 / 2;

/** Rows that somebody is about to look up. */
export interface WantedRows {
  readonly table: TableName;
  readonly keys: readonly TableKey[];
}

/**
 * Reads rows from the disk before they are looked up, if the store is too large to stay in memory.
 *
 * A mapped page that is not in memory stops the thread until the disk has delivered it. The event loop would stop at each
 * row, one after the other. Threads read several at a time, and the event loop goes on meanwhile. A solid-state disk answered
 * 1.8 times as many requests a second from eight threads as from three; UV_THREADPOOL_SIZE in the environment sets how many.
 */
export class Prefetcher {
  readonly #environment: Environment;
  readonly #keptBytes: number;
  readonly #threads = threadsForReading();
  readonly #tasks = new Semaphore(this.#threads);

  /** @param memoryBytes memory of the machine, or of the container */
  constructor(environment: Environment, memoryBytes = machineLimits().memory) {
    this.#environment = environment;
    this.#keptBytes = memoryBytes * KEPT_SHARE;
  }

  /** Whether look-ups may have to wait for the disk. A follower cannot read ahead. */
  get isUseful(): boolean {
    try {
      const { follows, sizeOnDisk } = this.#environment;
      return !follows && sizeOnDisk > this.#keptBytes;
    } catch {
      // The system does not tell the size: somebody has removed the file, or the folder cannot be read any more.
      return false;
    }
  }

  /**
   * Resolves when the rows are in memory; absent ones are skipped. Does nothing unless {@link isUseful}.
   *
   * @param signal drops the rows that no thread has begun to read
   */
  async read(wanted: readonly WantedRows[], signal?: AbortSignal): Promise<void> {
    if (!this.isUseful) return;
    await Promise.all(wanted.flatMap((rows) => this.#begin(rows, signal)));
  }

  /** Divides rows into batches, so that even those of one transaction occupy all threads. */
  #begin({ table, keys }: WantedRows, signal?: AbortSignal): Promise<void>[] {
    const size = Math.min(BATCH, Math.ceil(keys.length / this.#threads));
    const count = size === 0 ? 0 : Math.ceil(keys.length / size);
    return Array.from({ length: count }, (_, i) =>
      this.#tasks.run(async () => {
        if (signal?.aborted) return;
        await this.#environment.prefetch(table, keys.slice(i * size, (i + 1) * size));
      }),
    );
  }
}

/** Returns how many threads may read at a time: all but one, which commits and files need. */
function threadsForReading(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? USUAL_THREADS);
  return Number.isInteger(threads) && threads > 1 ? Math.min(threads - 1, MOST_TASKS) : 1;
}
