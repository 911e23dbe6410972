import { totalmem } from 'node:os';
import { Semaphore } from '@monero-node/base';
import type { Environment } from './environment.ts';
import type { TableKey, TableName } from './tables.ts';

/** Rows read by one task of a thread. A disk with moving heads takes a quarter of a second for them. */
const BATCH = 32;
/** Tasks at a time. Node has four threads for them by default, and commits and files need one. */
const TASKS = 3;
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
 * row, one after the other. Threads read several at a time, and the event loop goes on meanwhile.
 */
export class Prefetcher {
  readonly #environment: Environment;
  readonly #keptBytes: number;
  readonly #tasks = new Semaphore(TASKS);

  /** @param memoryBytes memory of the machine, or of the container */
  constructor(environment: Environment, memoryBytes = memoryOfMachine()) {
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

  /** Resolves when the rows are in memory; absent ones are skipped. Does nothing unless {@link isUseful}. */
  async read(wanted: readonly WantedRows[]): Promise<void> {
    if (!this.isUseful) return;
    const batches = wanted.flatMap(({ table, keys }) =>
      Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, i) =>
        this.#tasks.run(() =>
          this.#environment.prefetch(table, keys.slice(i * BATCH, (i + 1) * BATCH)),
        ),
      ),
    );
    await Promise.all(batches);
  }
}

function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  // Without a limit, Linux reports a number beyond any memory.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
