import type { Environment } from '../files/environment.ts';
import type { HashTable } from './hash-state.ts';
import { bucketOf, BUCKETS, RecentBucket, RECENT_TABLES } from './recent-bucket.ts';
import { RecentChange } from './recent-change.ts';

/**
 * Recent hashes allowed per row of their table. A page of the table holds about 60 rows, so moving a bucket there adds
 * seven or eight rows to each of its pages.
 */
const RECENT_SHARE = 1 / 8;
/** Smaller buckets are not worth a row of their own: tables of less than eight million rows need none. */
const LEAST_FULL = 16;
const ROWS_PER_READ = 16;

/**
 * The level between the hashes that wait in memory and large tables.
 *
 * Memory holds few hashes per page of a large table. Written there directly, nearly each would copy a page of its own.
 * They are therefore collected first in buckets of a few kilobytes, which are rewritten whole. A full bucket is moved to
 * its table, many hashes per page. While a table is small, its buckets are full at once and nothing is collected.
 */
export class RecentHashes {
  readonly #environment: Environment;
  readonly #limit: number | undefined;

  /** @param limit how many hashes of each table may be collected; by default an eighth of the table's rows */
  constructor(environment: Environment, limit?: number) {
    this.#environment = environment;
    this.#limit = limit;
  }

  /** Returns a view of the value of a hash (32 bytes), valid until the next read; undefined when it is not here. */
  value(table: HashTable, hash: Uint8Array): Uint8Array | undefined {
    const row = this.#environment.view(RECENT_TABLES[table], bucketOf(hash));
    if (row === undefined) return undefined;
    const bucket = new RecentBucket(table, row);
    const index = bucket.find(hash);
    return index === undefined ? undefined : bucket.entry(index).value;
  }

  /**
   * Returns copies of up to `limit` transaction ids above `after` and up to `last` inclusive, ascending. An absent bound
   * does not restrict.
   */
  txIdsBetween(
    after: Uint8Array | undefined,
    last: Uint8Array | undefined,
    limit: number,
  ): Uint8Array[] {
    const ids: Uint8Array[] = [];
    const end = last === undefined ? BUCKETS - 1 : bucketOf(last);
    let from = after === undefined ? 0 : bucketOf(after);
    while (from <= end && ids.length < limit) {
      const wanted = Math.min(ROWS_PER_READ, end - from + 1);
      const rows = this.#environment.rows(RECENT_TABLES.tx_id, wanted, from);
      for (const { value } of rows)
        ids.push(...new RecentBucket('tx_id', value).hashesBetween(after, last));
      if (rows.length < wanted) break;
      from = Number(rows.at(-1)?.key) + 1;
    }
    return ids.slice(0, limit);
  }

  /** Returns of which tables nothing is here, until the next commit. */
  emptyTables(): Record<HashTable, boolean> {
    return {
      tx_id: this.#environment.rowCount(RECENT_TABLES.tx_id) === 0,
      key_image: this.#environment.rowCount(RECENT_TABLES.key_image) === 0,
    };
  }

  /** Begins a change of the chain. */
  begin(): RecentChange {
    const isEmpty = this.emptyTables();
    return new RecentChange({
      isEmpty,
      read: (table, number) => {
        const row = isEmpty[table]
          ? undefined
          : this.#environment.get(RECENT_TABLES[table], number);
        return row && new RecentBucket(table, row);
      },
      full: (table) => {
        if (this.#limit !== undefined) return this.#limit / BUCKETS;
        const full = (this.#environment.rowCount(table) * RECENT_SHARE) / BUCKETS;
        return full < LEAST_FULL ? 0 : full;
      },
    });
  }
}
