import { LRUCache } from 'lru-cache';

/**
 * Maps keys to values up to a number of entries; adding another one drops the oldest. An entry becomes
 * the newest when it is set, not when it is read.
 */
export class BoundedMap<K extends NonNullable<unknown>, V extends NonNullable<unknown>> {
  readonly #entries: LRUCache<K, V>;

  /** @param limit most entries; memory for their bookkeeping is taken at once (about 30 bytes each) */
  constructor(limit: number) {
    this.#entries = new LRUCache<K, V>({ max: limit });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.peek(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Adds or replaces an entry and makes it the newest. */
  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }

  /** Returns whether there was an entry. */
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
