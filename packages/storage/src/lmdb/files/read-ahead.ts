import type { Environment } from './environment.ts';
import type { TableName } from '../tables/tables.ts';

/** Rows read by one task of a thread. */
const BATCH = 64;
/** Batches under way or waiting for a thread; Node has four threads for such tasks by default. */
const BATCHES_AHEAD = 8;

/**
 * Reads consecutive rows from the disk ahead of a loop that needs them one by one.
 *
 * A mapped page that is not in memory stops the thread until the disk has delivered it. Several threads keep the disk
 * busy, and the event loop finds the pages in memory.
 */
export class ReadAhead {
  readonly #environment: Environment;
  readonly #table: TableName;
  readonly #end: number;
  #next: number;
  readonly #batches: { from: number; done: Promise<void> }[] = [];

  /**
   * @param start key of the first row
   * @param end key after the last row
   */
  constructor(environment: Environment, table: TableName, start: number, end: number) {
    this.#environment = environment;
    this.#table = table;
    this.#next = start;
    this.#end = end;
  }

  /** Resolves when the row is in memory. Keys must ascend from call to call. */
  async reach(key: number): Promise<void> {
    this.#fill();
    for (let first = this.#batches[0]; first && first.from <= key; first = this.#batches[0]) {
      this.#batches.shift();
      await first.done;
      this.#fill();
    }
  }

  #fill(): void {
    while (this.#batches.length < BATCHES_AHEAD && this.#next < this.#end) {
      const from = this.#next;
      this.#next = Math.min(from + BATCH, this.#end);
      const keys = Array.from({ length: this.#next - from }, (_, i) => from + i);
      this.#batches.push({ from, done: this.#environment.prefetch(this.#table, keys) });
    }
  }
}
