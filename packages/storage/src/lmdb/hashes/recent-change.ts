import { HASH_TABLES, type HashTable } from './hash-state.ts';
import { bucketOf, BUCKETS, RecentBucket, RECENT_TABLES, type HashEntry } from './recent-bucket.ts';
import type { WantedRows } from '../files/prefetcher.ts';
import type { WriteOp } from '../tables/tables.ts';

/** The stored buckets, as a change needs them. */
export interface StoredBuckets {
  /** Returns a bucket; undefined when it is empty. */
  read(table: HashTable, bucket: number): RecentBucket | undefined;
  /** Number of entries at which buckets of the table are full, on average. */
  full(table: HashTable): number;
}

/** The effect of one change of the chain on the recent hashes. */
export class RecentChange {
  readonly #stored: StoredBuckets;
  readonly #full: Record<HashTable, number>;
  /** The changed buckets; undefined for one that is now empty. */
  readonly #changed: Record<HashTable, Map<number, RecentBucket | undefined>> = {
    tx_id: new Map(),
    key_image: new Map(),
  };
  readonly #moved: Record<HashTable, HashEntry[]> = { tx_id: [], key_image: [] };

  constructor(stored: StoredBuckets) {
    this.#stored = stored;
    this.#full = { tx_id: stored.full('tx_id'), key_image: stored.full('key_image') };
  }

  /** Removes a hash (32 bytes). Returns whether it was here. */
  remove(table: HashTable, hash: Uint8Array): boolean {
    const bucket = this.#bucket(table, bucketOf(hash));
    const index = bucket?.find(hash);
    if (bucket === undefined || index === undefined) return false;
    const rest = bucket.size > 1 ? bucket.without(index) : undefined;
    this.#changed[table].set(bucketOf(hash), rest);
    return true;
  }

  /**
   * Adds hashes. When their bucket is full, all its hashes move to their table.
   * @param entries ascending, of one bucket; not empty
   */
  add(table: HashTable, number: number, entries: readonly HashEntry[]): void {
    const stored = this.#bucket(table, number);
    const isFull =
      entries.length + (stored?.size ?? 0) >= this.#full[table] * (0.5 + scatterOf(number));
    if (isFull && stored === undefined) {
      this.#move(table, entries);
      return;
    }
    const added = RecentBucket.of(table, entries);
    const bucket = stored === undefined ? added : stored.with(added);
    if (isFull)
      this.#move(
        table,
        Array.from({ length: bucket.size }, (_, i) => bucket.entry(i)),
      );
    this.#changed[table].set(number, isFull ? undefined : bucket);
  }

  /** Rows of the tables to which full buckets move. */
  get moved(): WantedRows[] {
    return HASH_TABLES.map((table) => ({
      table,
      keys: this.#moved[table].map(({ hash }) => hash),
    }));
  }

  /** Returns the rows to write and remove. */
  finish(): WriteOp[] {
    const ops: WriteOp[] = [];
    for (const table of HASH_TABLES) {
      for (const [key, bucket] of this.#changed[table])
        ops.push({ table: RECENT_TABLES[table], key, ...(bucket && { value: bucket.bytes }) });
    }
    for (const table of HASH_TABLES) {
      for (const { hash, value } of this.#moved[table]) ops.push({ table, key: hash, value });
    }
    return ops;
  }

  #bucket(table: HashTable, number: number): RecentBucket | undefined {
    const changed = this.#changed[table];
    return changed.has(number) ? changed.get(number) : this.#stored.read(table, number);
  }

  #move(table: HashTable, entries: readonly HashEntry[]): void {
    for (const entry of entries) this.#moved[table].push(entry);
  }
}

/**
 * Returns a number from 0 to 1 that differs from bucket to bucket. Buckets fill at the same rate; were they all full at the
 * same size, they would all move within a few commits.
 */
function scatterOf(bucket: number): number {
  return ((bucket * ODD) % BUCKETS) / BUCKETS;
}

/** About the golden ratio of the number of buckets, so neighbors differ much. */
const ODD = 40_503;
