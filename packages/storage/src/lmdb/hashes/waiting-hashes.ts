import { FlatHashMap, type SortedHashes } from '../../flat-hash-map.ts';

/**
 * Hashes of the chain that are not in their table yet, with their places. They are kept in slices; a slice is
 * all hashes with the same first byte.
 */
export class WaitingHashes {
  readonly #slices = Array.from({ length: SLICES }, () => new FlatHashMap());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param source holds the 32 bytes of the hash from `offset` on */
  get(source: Uint8Array, offset = 0): number | undefined {
    return this.#slice(sliceOf(source, offset)).get(source, offset);
  }

  /** @param source holds the 32 bytes of the hash from `offset` on; they are copied */
  set(source: Uint8Array, offset: number, place: number): void {
    const slice = this.#slice(sliceOf(source, offset));
    const before = slice.size;
    slice.set(source, offset, place);
    this.#size += slice.size - before;
  }

  /** Returns copies of the hashes of a slice whose places are below the limit, ascending, with their places. */
  sortedBelow(slice: number, limit: number): SortedHashes {
    return this.#slice(slice).sortedBelow(limit);
  }

  /** Returns the number of hashes in a slice. */
  sizeOf(slice: number): number {
    return this.#slice(slice).size;
  }

  clear(slice: number): void {
    this.#change(slice, (slice) => {
      slice.clear();
    });
  }

  /** Removes every hash whose place is not below the limit. */
  keepBelow(limit: number): void {
    for (let slice = 0; slice < SLICES; slice += 1) {
      this.#change(slice, (slice) => {
        slice.keepBelow(limit);
      });
    }
  }

  /**
   * Returns copies of up to `limit` hashes above `after` and up to `last` inclusive, ascending. An absent bound
   * does not restrict.
   */
  hashesBetween(
    after: Uint8Array | undefined,
    last: Uint8Array | undefined,
    limit: number,
  ): Uint8Array[] {
    const hashes: Uint8Array[] = [];
    const end = last === undefined ? SLICES - 1 : sliceOf(last);
    for (let at = after ? sliceOf(after) : 0; at <= end && hashes.length < limit; at += 1) {
      const found: Uint8Array[] = [];
      this.#slice(at).forEach((hash) => {
        if (after !== undefined && Buffer.compare(hash, after) <= 0) return;
        if (last === undefined || Buffer.compare(hash, last) <= 0) found.push(hash.slice());
      });
      hashes.push(...found.sort((a, b) => Buffer.compare(a, b)));
    }
    return hashes.slice(0, limit);
  }

  #change(index: number, change: (slice: FlatHashMap) => void): void {
    const slice = this.#slice(index);
    this.#size -= slice.size;
    change(slice);
    this.#size += slice.size;
  }

  #slice(slice: number): FlatHashMap {
    const found = this.#slices[slice];
    if (found === undefined) throw new RangeError(`there is no slice ${slice}`);
    return found;
  }
}

/** Number of slices. */
export const SLICES = 256;

/** Returns the slice of the hash that begins at `offset` in `source`: its first byte. */
export function sliceOf(source: Uint8Array, offset = 0): number {
  return source[offset] ?? 0;
}
