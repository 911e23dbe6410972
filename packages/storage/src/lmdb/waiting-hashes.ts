import { FlatHashMap } from '../flat-hash-map.ts';

/**
 * Hashes that are in the chain but not in their table yet, with their places, in slices: all hashes
 * that begin with the same byte.
 */
export class WaitingHashes {
  readonly #slices = Array.from({ length: SLICES }, () => new FlatHashMap());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param hash 32 bytes */
  get(hash: Uint8Array): number | undefined {
    return this.#slice(sliceOf(hash)).get(hash);
  }

  /** @param source holds the 32 bytes of the hash from `offset` on; they are copied */
  set(source: Uint8Array, offset: number, place: number): void {
    this.#change(sliceOf(source, offset), (slice) => {
      slice.set(source, offset, place);
    });
  }

  /** The hashes of a slice and their places, in order; to be used before the next change. */
  sorted(slice: number): { hash: Uint8Array; place: number }[] {
    const entries: { hash: Uint8Array; place: number; start: number }[] = [];
    this.#slice(slice).forEach((hash, place) => {
      entries.push({ hash, place, start: startOf(hash) });
    });
    // Numbers are compared quickly, and hardly ever the same.
    return entries.sort((a, b) => a.start - b.start || Buffer.compare(a.hash, b.hash));
  }

  clear(slice: number): void {
    this.#change(slice, (slice) => {
      slice.clear();
    });
  }

  /** Leaves out every hash whose place is not below the limit. */
  keepBelow(limit: number): void {
    for (let slice = 0; slice < SLICES; slice += 1) {
      this.#change(slice, (slice) => {
        slice.keepBelow(limit);
      });
    }
  }

  /** Up to `limit` hashes above `after` (from the first on, if absent), in order; the caller's own. */
  hashesAfter(after: Uint8Array | undefined, limit: number): Uint8Array[] {
    const hashes: Uint8Array[] = [];
    const first = after === undefined ? 0 : sliceOf(after);
    for (let slice = first; slice < SLICES && hashes.length < limit; slice += 1) {
      for (const { hash } of this.sorted(slice)) {
        if (after === undefined || Buffer.compare(hash, after) > 0) hashes.push(hash.slice());
      }
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

/** The first five bytes as a number. */
function startOf(hash: Uint8Array): number {
  let start = 0;
  for (let i = 0; i < 5; i += 1) start = start * 256 + (hash[i] ?? 0);
  return start;
}

export const SLICES = 256;

/** The slice of the hash that stands in `source` from `offset` on: its first byte. */
export function sliceOf(source: Uint8Array, offset = 0): number {
  return source[offset] ?? 0;
}
