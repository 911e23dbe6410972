import { LONG_TERM_WINDOW } from '../primitives/constants.ts';
import { floorAverage } from '../primitives/median.ts';

/** A chunk of the sorted values is split in two when it grows beyond this. */
const MAX_CHUNK = 512;
/** Room for weights at first, which doubles whenever it is full: short chains are copied often, too. */
const FIRST_ROOM = 1024;

/**
 * The median of the last 100,000 long-term weights, kept while blocks come and go. It holds the values
 * twice: in chain order, to know which one leaves the window, and sorted in chunks of a few hundred, so
 * that a push or pop moves a few kilobytes and never sorts. The result is that of sorting the window.
 *
 * Source: Blockchain::get_long_term_block_weight_median in src/cryptonote_core/blockchain.cpp.
 */
export class LongTermMedian {
  readonly #capacity: number;
  /** Ring buffer in chain order; #start is the oldest. Its length is the capacity, or less while the window fills. */
  #ring: Float64Array;
  #start = 0;
  #size = 0;
  /** Ascending within and across chunks; no chunk is empty. */
  #chunks: number[][] = [];

  /** @param capacity blocks in the window */
  constructor(capacity: number = LONG_TERM_WINDOW) {
    this.#capacity = capacity;
    this.#ring = new Float64Array(Math.min(capacity, FIRST_ROOM));
  }

  /** Returns a window with the newest `capacity` of `weights`, which are in chain order, oldest first. */
  static from(weights: Iterable<number>, capacity: number = LONG_TERM_WINDOW): LongTermMedian {
    const all = Float64Array.from(weights);
    const kept = all.subarray(Math.max(0, all.length - capacity));
    const result = new LongTermMedian(capacity);
    result.#grow(kept.length);
    result.#ring.set(kept);
    result.#size = kept.length;
    const sorted = kept.slice().sort();
    for (let i = 0; i < sorted.length; i += MAX_CHUNK / 2) {
      result.#chunks.push(Array.from(sorted.subarray(i, i + MAX_CHUNK / 2)));
    }
    return result;
  }

  /** Number of weights in the window. */
  get size(): number {
    return this.#size;
  }

  /** The middle weight, or the average of the two middle ones rounded down; 0 when empty. */
  get median(): number {
    const middle = this.#size >> 1;
    if (this.#size === 0) return 0;
    if (this.#size % 2 === 1) return this.#at(middle);
    return floorAverage(this.#at(middle - 1), this.#at(middle));
  }

  /** Appends the weight of a new block. Returns the oldest weight if it leaves the window. */
  push(weight: number): number | undefined {
    let left: number | undefined;
    if (this.#size === this.#capacity) {
      left = this.#ring[this.#start] as number;
      this.#remove(left);
      this.#start = (this.#start + 1) % this.#ring.length;
      this.#size--;
    }
    this.#grow(this.#size + 1);
    this.#ring[(this.#start + this.#size) % this.#ring.length] = weight;
    this.#size++;
    this.#insert(weight);
    return left;
  }

  /**
   * Removes the newest weight and returns it.
   *
   * Throws RangeError when the window is empty.
   *
   * @param restored weight that becomes the oldest of the window again: that of the block just below
   *   the window, if the chain is long enough to have one
   */
  pop(restored?: number): number {
    if (this.#size === 0) throw new RangeError('no weight to take back');
    this.#size--;
    const newest = this.#ring[(this.#start + this.#size) % this.#ring.length] as number;
    this.#remove(newest);
    if (restored !== undefined) {
      this.#start = (this.#start + this.#ring.length - 1) % this.#ring.length;
      this.#ring[this.#start] = restored;
      this.#size++;
      this.#insert(restored);
    }
    return newest;
  }

  /** Returns an independent copy. */
  clone(): LongTermMedian {
    const copy = new LongTermMedian(this.#capacity);
    copy.#ring = this.#ring.slice();
    copy.#start = this.#start;
    copy.#size = this.#size;
    copy.#chunks = this.#chunks.map((chunk) => chunk.slice());
    return copy;
  }

  /** Makes room for `size` weights, at most the capacity. */
  #grow(size: number): void {
    const { length } = this.#ring;
    if (size <= length) return;
    let room = length;
    while (room < size) room *= 2;
    const ring = new Float64Array(Math.min(room, this.#capacity));
    for (let i = 0; i < this.#size; i++) ring[i] = this.#ring[(this.#start + i) % length] as number;
    this.#ring = ring;
    this.#start = 0;
  }

  /** The value at `index` of the sorted window. */
  #at(index: number): number {
    let rest = index;
    for (const chunk of this.#chunks) {
      if (rest < chunk.length) return chunk[rest] as number;
      rest -= chunk.length;
    }
    throw new RangeError(`index ${index} of ${this.#size} weights`);
  }

  #insert(weight: number): void {
    const last = this.#chunks.length - 1;
    if (last < 0) {
      this.#chunks.push([weight]);
      return;
    }
    const index = Math.min(this.#chunkFor(weight), last);
    const chunk = this.#chunks[index] as number[];
    chunk.splice(lowerBound(chunk, weight), 0, weight);
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(index + 1, 0, chunk.splice(MAX_CHUNK / 2));
  }

  #remove(weight: number): void {
    const index = this.#chunkFor(weight);
    const chunk = this.#chunks[index] as number[];
    chunk.splice(lowerBound(chunk, weight), 1);
    if (chunk.length === 0) this.#chunks.splice(index, 1);
  }

  /** Index of the first chunk whose largest value is not below `weight`. */
  #chunkFor(weight: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const chunk = this.#chunks[middle] as number[];
      if ((chunk[chunk.length - 1] as number) < weight) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Index of the first value that is not below `weight`. */
function lowerBound(sorted: readonly number[], weight: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < weight) low = middle + 1;
    else high = middle;
  }
  return low;
}
