import { HASH_TABLES, type HashTable } from './hash-state.ts';
import { HASH_SIZE } from '../../hash-bytes.ts';
import { bucketOf, BUCKETS, ENTRY_SIZES, RecentBucket, RECENT_TABLES } from './recent-bucket.ts';
import type { WantedRows } from '../files/prefetcher.ts';
import type { WriteOp } from '../tables/tables.ts';

/** The stored buckets, as a change needs them. */
export interface StoredBuckets {
  /** Whether all buckets of a table are empty. */
  readonly isEmpty: Readonly<Record<HashTable, boolean>>;
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
  /** Entries as in buckets, ascending in each array. */
  readonly #moved: Record<HashTable, Uint8Array[]> = { tx_id: [], key_image: [] };

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
   * Adds hashes. When the bucket of one is full, all its hashes move to their table.
   * @param entries as in a bucket, ascending, but of any number of buckets; must not change any more
   */
  add(table: HashTable, entries: Uint8Array): void {
    if (this.#full[table] === 0 && this.#stored.isEmpty[table]) {
      // Every bucket is full at once, and holds nothing else.
      if (entries.length > 0) this.#moved[table].push(entries);
      return;
    }
    const size = ENTRY_SIZES[table];
    for (let start = 0; start < entries.length;) {
      const number = bucketOf(entries, start);
      let end = start + size;
      while (end < entries.length && bucketOf(entries, end) === number) end += size;
      this.#addTo(number, table, new RecentBucket(table, entries.subarray(start, end)));
      start = end;
    }
  }

  #addTo(number: number, table: HashTable, added: RecentBucket): void {
    const stored = this.#bucket(table, number);
    const bucket = stored === undefined ? added : stored.with(added);
    const isFull = bucket.size >= this.#full[table] * (0.5 + scatterOf(number));
    if (isFull) this.#moved[table].push(bucket.bytes);
    if (!isFull || stored !== undefined)
      this.#changed[table].set(number, isFull ? undefined : bucket);
  }

  /** Rows of the tables to which full buckets move. */
  get moved(): WantedRows[] {
    return HASH_TABLES.map((table) => ({
      table,
      keys: this.#moved[table].flatMap((entries) => hashesOf(table, entries)),
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
      const size = ENTRY_SIZES[table];
      for (const value of this.#moved[table]) {
        const key = value.subarray(0, HASH_SIZE);
        ops.push({ table, key, value, count: value.length / size, keySize: HASH_SIZE });
      }
    }
    return ops;
  }

  #bucket(table: HashTable, number: number): RecentBucket | undefined {
    const changed = this.#changed[table];
    return changed.has(number) ? changed.get(number) : this.#stored.read(table, number);
  }
}

/** Returns views of the hashes of entries. */
function hashesOf(table: HashTable, entries: Uint8Array): Uint8Array[] {
  const size = ENTRY_SIZES[table];
  return Array.from({ length: entries.length / size }, (_, i) =>
    entries.subarray(size * i, size * i + HASH_SIZE),
  );
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
