import { HASH_SIZE } from '../../hash-bytes.ts';
import { damaged } from '../errors.ts';
import type { HashTable } from './hash-state.ts';

/** Number of buckets of each table. */
export const BUCKETS = 2 ** 16;

/** The tables whose rows are buckets, by the table to which their hashes move. */
export const RECENT_TABLES = { tx_id: 'recent_tx_id', key_image: 'recent_key_image' } as const;

/** A hash (32 bytes) and the value of its row. */
export interface HashEntry {
  hash: Uint8Array;
  value: Uint8Array;
}

/**
 * Recent hashes with the same first two bytes, which are one row: entries of one length, ascending by hash. An entry is the
 * hash (32 bytes) and the value that it will have in its table.
 */
export class RecentBucket {
  /** The row. */
  readonly bytes: Uint8Array;
  readonly #table: HashTable;
  readonly #entrySize: number;

  /** Throws StorageError `damaged` when the row has a part of an entry. */
  constructor(table: HashTable, bytes: Uint8Array) {
    this.bytes = bytes;
    this.#table = table;
    this.#entrySize = ENTRY_SIZES[table];
    if (bytes.length % this.#entrySize !== 0)
      throw damaged(`a row of table ${RECENT_TABLES[table]} makes no sense`);
  }

  /** Number of entries. */
  get size(): number {
    return this.bytes.length / this.#entrySize;
  }

  /** Returns an entry, whose parts are views. */
  entry(index: number): HashEntry {
    const bytes = this.#slice(index, index + 1);
    return { hash: bytes.subarray(0, HASH_SIZE), value: bytes.subarray(HASH_SIZE) };
  }

  /** Returns the index of a hash (32 bytes); undefined when it is not here. */
  find(hash: Uint8Array): number | undefined {
    const index = this.#firstFrom(hash, 0);
    return index < this.size && this.#compare(index, hash) === 0 ? index : undefined;
  }

  /** Returns copies of the hashes above `after` and up to `last` inclusive. An absent bound does not restrict. */
  hashesBetween(after: Uint8Array | undefined, last: Uint8Array | undefined): Uint8Array[] {
    const hashes: Uint8Array[] = [];
    for (let i = after === undefined ? 0 : this.#firstFrom(after, 0); i < this.size; i += 1) {
      const { hash } = this.entry(i);
      if (last !== undefined && this.#compare(i, last) > 0) break;
      if (after === undefined || this.#compare(i, after) > 0) hashes.push(hash.slice());
    }
    return hashes;
  }

  /** Returns the bucket without an entry. */
  without(index: number): RecentBucket {
    const rest = Buffer.concat([this.#slice(0, index), this.#slice(index + 1, this.size)]);
    return new RecentBucket(this.#table, rest);
  }

  /** Returns the bucket with the entries of another part of it. No hash may be in both. */
  with(added: RecentBucket): RecentBucket {
    const parts: Uint8Array[] = [];
    let from = 0;
    for (let i = 0; i < added.size; i += 1) {
      const to = this.#firstFrom(added.entry(i).hash, from);
      parts.push(this.#slice(from, to), added.#slice(i, i + 1));
      from = to;
    }
    parts.push(this.#slice(from, this.size));
    return new RecentBucket(this.#table, Buffer.concat(parts));
  }

  #slice(from: number, to: number): Uint8Array {
    return this.bytes.subarray(from * this.#entrySize, to * this.#entrySize);
  }

  /** Returns the first index from `low` on whose hash is not below `hash`. */
  #firstFrom(hash: Uint8Array, low: number): number {
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, hash) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns a number below, equal to or above 0, as the hash of the entry is to `hash`. */
  #compare(index: number, hash: Uint8Array): number {
    const start = index * this.#entrySize;
    for (let i = 0; i < HASH_SIZE; i += 1) {
      const difference = (this.bytes[start + i] ?? 0) - (hash[i] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** Returns the bucket of the hash that begins at `offset` in `source`: its first two bytes. */
export function bucketOf(source: Uint8Array, offset = 0): number {
  return ((source[offset] ?? 0) << 8) | (source[offset + 1] ?? 0);
}

/** Returns the buckets of the hashes with that first byte. */
export function bucketsOf(firstByte: number): number[] {
  return Array.from({ length: 256 }, (_, i) => (firstByte << 8) | i);
}

/** Bytes of an entry. */
export const ENTRY_SIZES = { tx_id: 40, key_image: 36 } as const;
