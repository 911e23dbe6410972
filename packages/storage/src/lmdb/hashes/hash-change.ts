import type { SortedHashes } from '../../flat-hash-map.ts';
import { HASH_SIZE, putHash } from '../../hash-bytes.ts';
import type { Yielder } from '@monero-node/base';
import type { AbsentHashes } from './absent-hashes.ts';
import {
  HASH_TABLES,
  heightOfPlace,
  isWritten,
  placeOf,
  positionOfPlace,
  waitingCount,
  type HashState,
  type HashTable,
} from './hash-state.ts';
import { putUint32, uint32Value } from '../tables/keys.ts';
import type { Prefetcher, WantedRows } from '../files/prefetcher.ts';
import { bucketsOf, ENTRY_SIZES, RECENT_TABLES } from './recent-bucket.ts';
import type { RecentChange } from './recent-change.ts';
import type { WriteOp } from '../tables/tables.ts';

/**
 * Blocks after which the next slice is written, however few hashes wait. With 256 slices a start therefore reads
 * at most 20,480 blocks.
 */
const BLOCKS_PER_TURN = 80;

/** Hashes that a change may write beyond twice those that it adds. */
const SWEEP_RESERVE = 2 ** 13;

/** The hashes of a block, concatenated. */
type AppendedHashes = { height: number } & Record<HashTable, Uint8Array>;

/** The parts of HashIndex that a change uses; it alters the state and the absent hashes. */
export interface ChangedHashes {
  state: HashState;
  absent: AbsentHashes;
  /** Of the same change. */
  recent: RecentChange;
  prefetcher: Prefetcher;
  /** Called when the state in memory has been updated. */
  onApplied: () => void;
}

/**
 * The effect of one change on the hashes. It collects removed and added hashes, returns the rows to write,
 * and is applied to the state in memory when those rows have been committed.
 */
export class HashChange {
  readonly #state: HashState;
  readonly #absent: AbsentHashes;
  readonly #recent: RecentChange;
  readonly #prefetcher: Prefetcher;
  readonly #base: number;
  readonly #limit: number;
  readonly #onApplied: () => void;
  readonly #removals: WriteOp[] = [];
  /** Hashes of popped blocks that were still waiting. */
  #popped = 0;
  readonly #appended: AppendedHashes[] = [];
  readonly #swept = new Set<number>();
  #written: readonly number[] = [];

  /**
   * @param base height of the first appended block
   * @param limit hashes that may wait, without those of this change
   */
  constructor(parts: ChangedHashes, base: number, limit: number) {
    const { state, absent, recent, prefetcher, onApplied } = parts;
    this.#state = state;
    this.#absent = absent;
    this.#recent = recent;
    this.#prefetcher = prefetcher;
    this.#base = base;
    this.#limit = limit;
    this.#onApplied = onApplied;
  }

  /** Removes a hash of the popped block at this height. */
  remove(table: HashTable, hash: Uint8Array, height: number): void {
    if (!isWritten(this.#state, hash, height)) this.#popped += 1;
    else if (!this.#recent.remove(table, hash)) this.#removals.push({ table, key: hash });
  }

  /** Adds the hashes of an appended block, concatenated: 32 bytes each. They must not change until `apply`. */
  append(height: number, txIds: Uint8Array, keyImages: Uint8Array): void {
    this.#appended.push({ height, tx_id: txIds, key_image: keyImages });
  }

  /** Returns the rows to write and remove. */
  async finish(yielder: Yielder): Promise<WriteOp[]> {
    await this.#sweep(yielder);
    const ops = [...this.#removals, ...this.#recent.finish()];
    const { written } = this.#state;
    this.#written = written.map((height, slice) =>
      this.#swept.has(slice) ? this.#base : Math.min(height, this.#base),
    );
    this.#written.forEach((height, slice) => {
      if (height !== written[slice])
        ops.push({ table: 'hash_slice', key: slice, value: uint32Value(height) });
    });
    return ops;
  }

  /** Updates the state in memory. Call it when the rows of `finish` have been committed. */
  apply(): void {
    const { waiting } = this.#state;
    for (const table of HASH_TABLES) {
      if (this.#popped > 0) waiting[table].keepBelow(placeOf(this.#base));
      // Popped hashes have just been removed; the rest of these slices is in the tables now.
      for (const slice of this.#swept) waiting[table].clear(slice);
    }
    for (const slice of this.#swept) this.#absent.forget(slice);
    for (const { height, tx_id, key_image } of this.#appended) {
      for (let i = 0; i * HASH_SIZE < tx_id.length; i += 1)
        waiting.tx_id.set(tx_id, i * HASH_SIZE, placeOf(height, i));
      for (let i = 0; i * HASH_SIZE < key_image.length; i += 1)
        waiting.key_image.set(key_image, i * HASH_SIZE, placeOf(height));
    }
    this.#state.written = [...this.#written];
    this.#onApplied();
  }

  /** Writes the waiting hashes of the slices written least recently, except those of popped blocks. */
  async #sweep(yielder: Yielder): Promise<void> {
    const top = this.#base + this.#appended.length;
    let turns = Math.floor(top / BLOCKS_PER_TURN) - Math.floor(this.#base / BLOCKS_PER_TURN);
    const added = this.#appended.map(({ tx_id, key_image }) => tx_id.length + key_image.length);
    const addedCount = added.reduce((sum, bytes) => sum + bytes / HASH_SIZE, 0);
    const surplus = waitingCount(this.#state) - this.#popped + addedCount - this.#limit;
    // A lower limit than before is reached over several commits: one must not write everything at once.
    let excess = Math.min(surplus, 2 * addedCount + SWEEP_RESERVE);
    if (turns <= 0 && excess <= 0) return;
    for (const slice of oldestFirst(this.#state.written)) {
      if (turns <= 0 && excess <= 0) break;
      await this.#prefetcher.read(this.#bucketRows(slice));
      excess -= this.#sweepSlice(slice);
      turns -= 1;
      await yielder.yieldIfDue();
    }
    // LMDB writes on a single thread, which would read these pages one by one.
    if (this.#prefetcher.isUseful) await this.#prefetcher.read(this.#recent.moved);
  }

  /** Returns the rows that writing the waiting hashes of a slice may change: none where no hash waits. */
  #bucketRows(slice: number): WantedRows[] {
    const keys = bucketsOf(slice);
    return HASH_TABLES.filter((table) => this.#state.waiting[table].sizeOf(slice) > 0).map(
      (table) => ({ table: RECENT_TABLES[table], keys }),
    );
  }

  /** Writes the waiting hashes of a slice. Returns their number. */
  #sweepSlice(slice: number): number {
    this.#swept.add(slice);
    let count = 0;
    for (const table of HASH_TABLES) {
      const waiting = this.#state.waiting[table].sortedBelow(slice, placeOf(this.#base));
      this.#recent.add(table, entriesOf(table, waiting));
      count += waiting.places.length;
    }
    return count;
  }
}

/**
 * Returns hashes with the values of their rows: the height and, for a transaction, its position in the block. Joined, because an array
 * for each would be more work than the rest.
 */
function entriesOf(table: HashTable, { hashes, places }: SortedHashes): Uint8Array {
  const size = ENTRY_SIZES[table];
  const entries = new Uint8Array(size * places.length);
  for (const [i, place] of places.entries()) {
    const at = size * i;
    putHash(entries, at, hashes, HASH_SIZE * i);
    putUint32(entries, at + HASH_SIZE, heightOfPlace(place));
    if (table === 'tx_id') putUint32(entries, at + HASH_SIZE + 4, positionOfPlace(place));
  }
  return entries;
}

function oldestFirst(written: readonly number[]): number[] {
  return [...written.keys()].sort((a, b) => (written[a] ?? 0) - (written[b] ?? 0));
}
