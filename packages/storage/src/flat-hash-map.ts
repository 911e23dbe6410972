import { randomFillSync } from 'node:crypto';
import { HASH_SIZE, putHash } from './hash-bytes.ts';

const FIRST_CAPACITY = 16;

/** Hashes of a map, 32 bytes each, and the number of each, in the same order. */
export interface SortedHashes {
  readonly hashes: Uint8Array;
  readonly places: Float64Array;
}

/**
 * A map from 32-byte hashes to numbers. It lives in flat memory, which the garbage collector does not
 * walk: an array of entries, and an open-addressing table of their positions that is at most half full.
 */
export class FlatHashMap {
  #hashes: Uint8Array;
  #places: Float64Array;
  /** What scatters each entry: to compute it is most of the work of finding a slot. */
  #scatters: Int32Array;
  /** Position of the entry plus one; 0 where there is none. */
  #slots: Int32Array;
  #size = 0;

  /** @param expected entries for which there is room at once */
  constructor(expected = FIRST_CAPACITY) {
    const capacity = Math.max(FIRST_CAPACITY, 2 ** Math.ceil(Math.log2(expected)));
    this.#hashes = new Uint8Array(capacity * HASH_SIZE);
    this.#places = new Float64Array(capacity);
    this.#scatters = new Int32Array(capacity);
    this.#slots = new Int32Array(capacity * 2);
  }

  get size(): number {
    return this.#size;
  }

  /** @param source holds the 32 bytes of the hash from `offset` on */
  get(source: Uint8Array, offset = 0): number | undefined {
    // Many maps stay empty, and finding the slot is most of the work.
    if (this.#size === 0) return undefined;
    const scatter = scatterHash(source, offset);
    const entry = this.#slots[this.#slotOf(scatter, source, offset)] ?? 0;
    return entry === 0 ? undefined : this.#places[entry - 1];
  }

  /** @param source holds the 32 bytes of the hash from `offset` on; they are copied */
  set(source: Uint8Array, offset: number, place: number): void {
    const known = this.#findOrAdd(source, offset, place);
    if (known !== 0) this.#places[known - 1] = place;
  }

  /**
   * Adds a hash that is not there yet; one that is keeps its number. Returns whether it was not there.
   *
   * @param source holds the 32 bytes of the hash from `offset` on; they are copied
   */
  add(source: Uint8Array, offset: number, place: number): boolean {
    return this.#findOrAdd(source, offset, place) === 0;
  }

  /** Returns the position of the hash's entry plus one; 0 when it was not there and has been added. */
  #findOrAdd(source: Uint8Array, offset: number, place: number): number {
    if (this.#size === this.#places.length) this.#grow();
    const scatter = scatterHash(source, offset);
    const slot = this.#slotOf(scatter, source, offset);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known;
    this.#scatters[this.#size] = scatter;
    putHash(this.#hashes, this.#size * HASH_SIZE, source, offset);
    this.#places[this.#size] = place;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    return 0;
  }

  /** Calls `visit` with each hash and its number. The hash is a view that a later `set` may overwrite. */
  forEach(visit: (hash: Uint8Array, place: number) => void): void {
    for (let entry = 0; entry < this.#size; entry += 1) {
      const start = entry * HASH_SIZE;
      visit(this.#hashes.subarray(start, start + HASH_SIZE), this.#places[entry] ?? 0);
    }
  }

  /** Returns copies of the hashes whose numbers are below the limit, ascending, with their numbers. */
  sortedBelow(limit: number): SortedHashes {
    const starts = new Float64Array(this.#size);
    const found = new Uint32Array(this.#size);
    let count = 0;
    for (let entry = 0; entry < this.#size; entry += 1) {
      if ((this.#places[entry] ?? 0) >= limit) continue;
      starts[entry] = startOf(this.#hashes, entry * HASH_SIZE);
      found[count++] = entry;
    }
    // Comparing numbers is fast, and the first bytes are almost never equal.
    const order = found
      .subarray(0, count)
      .sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || this.#compare(a, b));
    const hashes = new Uint8Array(count * HASH_SIZE);
    const places = new Float64Array(count);
    for (let i = 0; i < count; i += 1) {
      const entry = order[i] ?? 0;
      putHash(hashes, i * HASH_SIZE, this.#hashes, entry * HASH_SIZE);
      places[i] = this.#places[entry] ?? 0;
    }
    return { hashes, places };
  }

  /** Removes every hash whose number is not below the limit. */
  keepBelow(limit: number): void {
    const [hashes, places, size] = [this.#hashes, this.#places, this.#size];
    this.clear();
    for (let entry = 0; entry < size; entry += 1) {
      const place = places[entry] ?? 0;
      if (place < limit) this.set(hashes, entry * HASH_SIZE, place);
    }
  }

  /** Removes every entry and frees the memory, because the map may stay empty for long. */
  clear(): void {
    if (this.#size === 0) return;
    this.#size = 0;
    this.#hashes = new Uint8Array(FIRST_CAPACITY * HASH_SIZE);
    this.#places = new Float64Array(FIRST_CAPACITY);
    this.#scatters = new Int32Array(FIRST_CAPACITY);
    this.#slots = new Int32Array(FIRST_CAPACITY * 2);
  }

  /** The slot of the hash, or the free one where it would go. */
  #slotOf(scatter: number, source: Uint8Array, offset: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = scatter & mask;
    for (;;) {
      const entry = slots[slot] ?? 0;
      if (entry === 0) return slot;
      if (this.#scatters[entry - 1] === scatter && this.#isAt(entry - 1, source, offset))
        return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(entry: number, source: Uint8Array, offset: number): boolean {
    const start = entry * HASH_SIZE;
    for (let i = HASH_SIZE - 1; i >= 0; i -= 1) {
      if (this.#hashes[start + i] !== source[offset + i]) return false;
    }
    return true;
  }

  /** Returns a number below, equal to or above 0, as the hash of one entry is to that of another. */
  #compare(a: number, b: number): number {
    const hash = (entry: number) =>
      this.#hashes.subarray(entry * HASH_SIZE, (entry + 1) * HASH_SIZE);
    return Buffer.compare(hash(a), hash(b));
  }

  #grow(): void {
    const [hashes, places, scatters] = [this.#hashes, this.#places, this.#scatters];
    this.#hashes = new Uint8Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#places = new Float64Array(places.length * 2);
    this.#places.set(places);
    this.#scatters = new Int32Array(places.length * 2);
    this.#scatters.set(scatters);
    const slots = new Int32Array(places.length * 4);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.#size; entry += 1) {
      // They differ, so none is compared.
      let slot = (scatters[entry] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }
}

/** Bytes of a hash that a double holds exactly. */
const START_SIZE = 6;

/** Returns the first bytes of the hash that begins at `offset` as a number. */
function startOf(source: Uint8Array, offset: number): number {
  let start = 0;
  for (let i = 0; i < START_SIZE; i += 1) start = start * 256 + (source[offset + i] ?? 0);
  return start;
}

/** Secret random numbers: one for each value of each byte of a hash but the first. */
const SECRETS = randomFillSync(new Uint32Array((HASH_SIZE - 1) * 256));

/**
 * Returns 32 bits for the slot of a hash (32 bytes from `offset` on) in a table: the exclusive or of the secret numbers of its
 * bytes (tabulation hashing). Strangers choose some of the hashes, for example in requests, and must not be able to choose
 * many that share a slot. The first byte has no part in it, because it is the same for all hashes of a slice.
 */
export function scatterHash(source: Uint8Array, offset: number): number {
  let bits = 0;
  for (let i = 1; i < HASH_SIZE; i += 1)
    bits ^= SECRETS[((i - 1) << 8) | (source[offset + i] ?? 0)] ?? 0;
  return bits;
}
