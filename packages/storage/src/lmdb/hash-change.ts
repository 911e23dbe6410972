import { heightOfPlace, placeOf, positionOfPlace, waitingCount } from './hash-state.ts';
import type { HashState, HashTable } from './hash-state.ts';
import { uint32Value } from './keys.ts';
import { RowWriter } from './row-writer.ts';
import type { WriteOp } from './tables.ts';
import { keyOfHash, sliceOf, SLICES } from './waiting-hashes.ts';

/** Every slice gets its turn within this many blocks, so that a start need not read more than those. */
const BLOCKS_PER_ROUND = 10_240;

/**
 * What a change does to the hashes: collects it, says which rows that means, and is applied to the
 * state in memory in the moment the rows are committed.
 */
export class HashChange {
  readonly #state: HashState;
  readonly #base: number;
  readonly #limit: number;
  readonly #removals: WriteOp[] = [];
  /** Hashes that were waiting and have been popped. */
  readonly #popped: Record<HashTable, string[]> = { tx_id: [], key_image: [] };
  readonly #added: Record<HashTable, [key: string, place: number][]> = { tx_id: [], key_image: [] };
  readonly #swept = new Set<number>();
  #written: readonly number[] = [];
  #blocks = 0;

  /**
   * @param base height that the appended blocks start from
   * @param limit how many hashes may wait; those of this change come on top
   */
  constructor(state: HashState, base: number, limit: number) {
    this.#state = state;
    this.#base = base;
    this.#limit = limit;
  }

  /** Takes out a hash of the popped block of the height. */
  remove(table: HashTable, hash: Uint8Array, height: number): void {
    const key = keyOfHash(hash);
    if (height < (this.#state.written[sliceOf(key)] ?? 0))
      this.#removals.push({ table, key: hash });
    else this.#popped[table].push(key);
  }

  /** Called for each appended block. */
  append(height: number, txIds: readonly Uint8Array[], keyImages: readonly Uint8Array[]): void {
    this.#blocks += 1;
    txIds.forEach((id, position) => {
      this.#added.tx_id.push([keyOfHash(id), placeOf(height, position)]);
    });
    for (const keyImage of keyImages) {
      this.#added.key_image.push([keyOfHash(keyImage), placeOf(height)]);
    }
  }

  /** The rows to write and remove. */
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

  /** To be called when the rows of `finish` are committed. */
  apply(): void {
    const { waiting } = this.#state;
    for (const table of ['tx_id', 'key_image'] as const) {
      for (const key of this.#popped[table]) waiting[table].delete(key);
      // Popped ones are gone, so that all that is left in these slices has been written.
      for (const slice of this.#swept) waiting[table].clear(slice);
      for (const [key, place] of this.#added[table]) waiting[table].set(key, place);
    }
    this.#state.written = [...this.#written];
  }

  /** Chooses the slices whose turn it is and writes what waits in them, but for what is popped. */
  #sweep(): WriteOp[] {
    let turns = Math.ceil((this.#blocks * SLICES) / BLOCKS_PER_ROUND);
    let excess =
      waitingCount(this.#state) + this.#added.tx_id.length + this.#added.key_image.length;
    excess -= this.#popped.tx_id.length + this.#popped.key_image.length + this.#limit;
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
      for (const [key, place] of this.#state.waiting[table].sorted(slice)) {
        if (heightOfPlace(place) >= this.#base) continue;
        ops.push({ table, key: Buffer.from(key, 'latin1'), value: encodePlace(table, place) });
      }
    }
  }
}

/** A row of a hash table: the height, of a transaction also the position in the block. */
function encodePlace(table: HashTable, place: number): Uint8Array {
  if (table === 'key_image') return uint32Value(heightOfPlace(place));
  const row = new RowWriter(8);
  row.u32(heightOfPlace(place));
  row.u32(positionOfPlace(place));
  return row.bytes;
}

function oldestFirst(written: readonly number[]): number[] {
  return [...written.keys()].sort((a, b) => (written[a] ?? 0) - (written[b] ?? 0));
}
