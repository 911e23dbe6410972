import { FlatHashMap } from '../../flat-hash-map.ts';
import type { HashTable } from './hash-state.ts';
import { sliceOf, SLICES } from './waiting-hashes.ts';

/**
 * Hashes remembered at least, and half of those remembered at most. A block or a span is stored soon after its
 * verification, so a few are enough: 2^15 take about 3 MiB.
 */
const REMEMBERED = 2 ** 15;

/**
 * Remembers hashes that were looked up and are not in their tables.
 *
 * Each new transaction id and key image is looked up more than once: when its transaction enters the pool, when its
 * block is verified, and when the block is stored. In large tables a look-up touches pages that may have to come from
 * the disk. Only the first one does so.
 */
export class AbsentHashes {
  readonly #limit: number;
  readonly #tables: Record<HashTable, Generations>;

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
    this.#tables = { tx_id: newGenerations(), key_image: newGenerations() };
  }

  /**
   * Returns whether it is known that the table lacks a hash.
   *
   * @param source holds the 32 bytes of the hash from `offset` on
   */
  has(table: HashTable, source: Uint8Array, offset = 0): boolean {
    const { newer, older } = this.#tables[table];
    const slice = sliceOf(source, offset);
    return (
      newer[slice]?.get(source, offset) !== undefined ||
      older[slice]?.get(source, offset) !== undefined
    );
  }

  /** Remembers a hash (32 bytes) that its table lacks. */
  add(table: HashTable, hash: Uint8Array): void {
    const generations = this.#tables[table];
    if (generations.count === this.#limit) {
      generations.older = generations.newer;
      generations.newer = newSlices();
      generations.count = 0;
    }
    generations.newer[sliceOf(hash)]?.set(hash, 0, 1);
    generations.count += 1;
  }

  /** Forgets the hashes of a slice, some of which have been written to the tables. */
  forget(slice: number): void {
    for (const generations of Object.values(this.#tables)) {
      generations.count -= generations.newer[slice]?.size ?? 0;
      generations.newer[slice]?.clear();
      generations.older[slice]?.clear();
    }
  }
}

/** By slice. */
type Slices = readonly FlatHashMap[];

interface Generations {
  newer: Slices;
  older: Slices;
  /** Number of hashes in `newer`. */
  count: number;
}

function newGenerations(): Generations {
  return { newer: newSlices(), older: newSlices(), count: 0 };
}

function newSlices(): Slices {
  return Array.from({ length: SLICES }, () => new FlatHashMap());
}
