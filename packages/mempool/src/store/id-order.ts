import type { PoolEntry } from './pool-entry.ts';

/**
 * Transactions by id, last byte first, as in monerod's database. A change costs a constant time; the list is brought up to
 * date when it is asked for, by merging the changes since the last time.
 */
export class IdOrder {
  #entries: readonly PoolEntry[] = [];
  #added: PoolEntry[] = [];
  readonly #removed = new Set<PoolEntry>();

  /** Adds an entry that is not in the order. */
  add(entry: PoolEntry): void {
    // Otherwise the pending removal would remove it a second time.
    if (this.#removed.has(entry)) this.#update();
    this.#added.push(entry);
  }

  /** Removes an entry of the order. */
  remove(entry: PoolEntry): void {
    this.#removed.add(entry);
  }

  /** The entries in order; a later change does not affect the list. */
  list(): readonly PoolEntry[] {
    if (this.#added.length > 0 || this.#removed.size > 0) this.#update();
    return this.#entries;
  }

  #update(): void {
    const removed = this.#removed;
    const without = (entries: readonly PoolEntry[]) =>
      removed.size === 0 ? entries : entries.filter((entry) => !removed.has(entry));
    const added = [...without(this.#added)].sort(compare);
    const kept = without(this.#entries);
    this.#entries = added.length === 0 ? kept : merge(kept, added);
    this.#added = [];
    removed.clear();
  }
}

/** Merges two lists that are in order. */
function merge(a: readonly PoolEntry[], b: readonly PoolEntry[]): PoolEntry[] {
  const merged: PoolEntry[] = [];
  let next = 0;
  for (const entry of b) {
    for (; next < a.length; next++) {
      const other = a[next] as PoolEntry;
      if (compare(other, entry) > 0) break;
      merged.push(other);
    }
    merged.push(entry);
  }
  for (; next < a.length; next++) merged.push(a[next] as PoolEntry);
  return merged;
}

function compare(a: PoolEntry, b: PoolEntry): number {
  return a.idEnd - b.idEnd || compareIds(a.id, b.id);
}

function compareIds(a: Uint8Array, b: Uint8Array): number {
  for (let i = a.length - 1; i >= 0; i--) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
