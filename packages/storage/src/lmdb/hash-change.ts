import { heightOfPlace, isWritten, placeOf, positionOfPlace, waitingCount } from './hash-state.ts';
import type { HashState, HashTable } from './hash-state.ts';
import { uint32Value } from './keys.ts';
import type { WriteOp } from './tables.ts';

/**
 * Blocks after which the next slice is written, however few hashes wait. With 256 slices a start therefore reads
 * at most 20,480 blocks.
 */
const BLOCKS_PER_TURN = 80;

const HASH_SIZE = 32;

/** The hashes of a block, concatenated. */
type AppendedHashes = { height: number } & Record<HashTable, Uint8Array>;

/**
 * The effect of one change on the hashes. It collects removed and added hashes, returns the rows to write,
 * and is applied to the state in memory when those rows have been committed.
 */
export class HashChange {
  readonly #state: HashState;
  readonly #base: number;
  readonly #limit: number;
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
  constructor(state: HashState, base: number, limit: number) {
    this.#state = state;
    this.#base = base;
    this.#limit = limit;
  }

  /** Removes a hash of the popped block at this height. */
  remove(table: HashTable, hash: Uint8Array, height: number): void {
    if (isWritten(this.#state, hash, height)) this.#removals.push({ table, key: hash });
    else this.#popped += 1;
  }

  /** Adds the hashes of an appended block: 32 bytes each. */
  append(height: number, txIds: readonly Uint8Array[], keyImages: readonly Uint8Array[]): void {
    this.#appended.push({
      height,
      tx_id: Buffer.concat(txIds),
      key_image: Buffer.concat(keyImages),
    });
  }

  /** Returns the rows to write and remove. */
  finish(): WriteOp[] {
    const ops = [...this.#removals, ...this.#sweep()];
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
    for (const table of ['tx_id', 'key_image'] as const) {
      if (this.#popped > 0) waiting[table].keepBelow(placeOf(this.#base));
      // Popped hashes have just been removed; the rest of these slices is in the tables now.
      for (const slice of this.#swept) waiting[table].clear(slice);
    }
    for (const { height, tx_id, key_image } of this.#appended) {
      for (let i = 0; i * HASH_SIZE < tx_id.length; i += 1)
        waiting.tx_id.set(tx_id, i * HASH_SIZE, placeOf(height, i));
      for (let i = 0; i * HASH_SIZE < key_image.length; i += 1)
        waiting.key_image.set(key_image, i * HASH_SIZE, placeOf(height));
    }
    this.#state.written = [...this.#written];
  }

  /** Returns rows for the waiting hashes of the slices written least recently, except those of popped blocks. */
  #sweep(): WriteOp[] {
    const top = this.#base + this.#appended.length;
    let turns = Math.floor(top / BLOCKS_PER_TURN) - Math.floor(this.#base / BLOCKS_PER_TURN);
    const added = this.#appended.map(({ tx_id, key_image }) => tx_id.length + key_image.length);
    const addedCount = added.reduce((sum, bytes) => sum + bytes / HASH_SIZE, 0);
    let excess = waitingCount(this.#state) - this.#popped + addedCount - this.#limit;
    if (turns === 0 && excess <= 0) return [];
    const ops: WriteOp[] = [];
    for (const slice of oldestFirst(this.#state.written)) {
      if (turns <= 0 && excess <= 0) break;
      const before = ops.length;
      this.#sweepSlice(slice, ops);
      turns -= 1;
      excess -= ops.length - before;
    }
    return ops;
  }

  #sweepSlice(slice: number, ops: WriteOp[]): void {
    this.#swept.add(slice);
    for (const table of ['tx_id', 'key_image'] as const) {
      for (const { hash, place } of this.#state.waiting[table].sorted(slice)) {
        if (heightOfPlace(place) >= this.#base) continue;
        ops.push({ table, key: hash, value: encodePlace(table, place) });
      }
    }
  }
}

/** Returns the value of a hash table's row: the height and, for a transaction, its position in the block. */
function encodePlace(table: HashTable, place: number): Uint8Array {
  const height = uint32Value(heightOfPlace(place));
  if (table === 'key_image') return height;
  return Uint8Array.of(...height, ...uint32Value(positionOfPlace(place)));
}

function oldestFirst(written: readonly number[]): number[] {
  return [...written.keys()].sort((a, b) => (written[a] ?? 0) - (written[b] ?? 0));
}
