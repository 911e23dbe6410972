import type { PoolEntry } from './pool-entry.ts';

/** Entries of a part at which it is divided. Small parts are cheap to change, and few parts are cheap to search. */
const LARGEST_PART = 512;

/**
 * Transactions by fee per weight, highest first; equal ones by time, then by insertion. The order is kept in parts:
 * an array of all would be moved in memory at each change.
 *
 * Source: sorted_tx_container in src/cryptonote_core/tx_pool.h.
 */
export class FeeOrder {
  /** None is empty. */
  readonly #parts: PoolEntry[][] = [];
  #list: readonly PoolEntry[] | undefined;

  /** Returns the entries, highest fee per weight first; a later change does not affect the list. */
  list(): readonly PoolEntry[] {
    // flat() takes many times as long.
    this.#list ??= new Array<PoolEntry>().concat(...this.#parts);
    return this.#list;
  }

  /** The entries, lowest fee per weight first. The order must not change meanwhile. */
  *worstFirst(): Generator<PoolEntry, void> {
    for (let at = this.#parts.length - 1; at >= 0; at--) {
      const part = this.#parts[at] ?? [];
      for (let i = part.length - 1; i >= 0; i--) yield part[i] as PoolEntry;
    }
  }

  /** The `sortTime` of an entry must not change while it is in the order. */
  add(entry: PoolEntry): void {
    this.#list = undefined;
    const at = Math.min(this.#partOf(entry, 'after'), this.#parts.length - 1);
    const part = this.#parts[at];
    if (part === undefined) {
      this.#parts.push([entry]);
      return;
    }
    part.splice(search(part, entry, 'after'), 0, entry);
    if (part.length >= LARGEST_PART) this.#parts.splice(at + 1, 0, part.splice(LARGEST_PART / 2));
  }

  remove(entry: PoolEntry): void {
    // Entries that compare equal may fill several parts.
    for (let at = this.#partOf(entry, 'before'); at < this.#parts.length; at++) {
      const part = this.#parts[at] ?? [];
      const index = part.indexOf(entry, search(part, entry, 'before'));
      if (index === -1) continue;
      this.#list = undefined;
      part.splice(index, 1);
      if (part.length === 0) this.#parts.splice(at, 1);
      return;
    }
  }

  /** Returns the first part that does not end before the place of `entry`; the number of parts when there is none. */
  #partOf(entry: PoolEntry, side: Side): number {
    const isBefore = (part: readonly PoolEntry[]) =>
      precedes(part.at(-1) as PoolEntry, entry, side);
    return firstWithout(this.#parts, isBefore);
  }
}

/** The place of an entry among those that compare equal to it: before or after all of them. */
type Side = 'before' | 'after';

/** Returns the index at which entries that compare equal to `entry` begin, or have ended. */
function search(entries: readonly PoolEntry[], entry: PoolEntry, side: Side): number {
  return firstWithout(entries, (other) => precedes(other, entry, side));
}

/** Returns whether `other` comes before the place of `entry`, which is before or after all that compare equal. */
function precedes(other: PoolEntry, entry: PoolEntry, side: Side): boolean {
  const order = compare(other, entry);
  return order < 0 || (order === 0 && side === 'after');
}

/** Returns the index of the first item without a property that only the first items of a list have. */
function firstWithout<T>(items: readonly T[], has: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (has(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: PoolEntry, b: PoolEntry): number {
  if (a.rate !== b.rate) return a.rate > b.rate ? -1 : 1;
  return a.sortTime - b.sortTime;
}
