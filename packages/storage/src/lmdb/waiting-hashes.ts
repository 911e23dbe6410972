/**
 * Hashes that are in the chain but not in their table yet, with their places, in slices: all hashes
 * that begin with the same byte. Kept under strings of one character a byte, the most compact thing
 * a Map finds by value; such strings sort as the bytes do.
 */
export class WaitingHashes {
  readonly #slices = Array.from({ length: SLICES }, () => new Map<string, number>());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): number | undefined {
    return this.#slice(sliceOf(key)).get(key);
  }

  set(key: string, place: number): void {
    const slice = this.#slice(sliceOf(key));
    this.#size -= slice.size;
    slice.set(key, place);
    this.#size += slice.size;
  }

  delete(key: string): void {
    if (this.#slice(sliceOf(key)).delete(key)) this.#size -= 1;
  }

  /** The hashes of a slice and their places, in order. */
  sorted(slice: number): [key: string, place: number][] {
    return [...this.#slice(slice)].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  clear(slice: number): void {
    this.#size -= this.#slice(slice).size;
    this.#slices[slice] = new Map();
  }

  /** Up to `limit` hashes above `after` (all, if absent), in order. */
  keysAfter(after: string | undefined, limit: number): string[] {
    const keys: string[] = [];
    const first = after === undefined ? 0 : sliceOf(after);
    for (let slice = first; slice < SLICES && keys.length < limit; slice += 1) {
      for (const [key] of this.sorted(slice)) {
        if (after === undefined || key > after) keys.push(key);
      }
    }
    return keys.slice(0, limit);
  }

  #slice(slice: number): Map<string, number> {
    const found = this.#slices[slice];
    if (found === undefined) throw new RangeError(`there is no slice ${slice}`);
    return found;
  }
}

export const SLICES = 256;

export function sliceOf(key: string): number {
  return key.charCodeAt(0);
}

export function keyOfHash(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}

export function hashOfKey(key: string): Uint8Array {
  return Uint8Array.from(Buffer.from(key, 'latin1'));
}
