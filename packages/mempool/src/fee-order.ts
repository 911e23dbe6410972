import type { PoolEntry } from './pool-entry.ts';

/**
 * Transactions by fee per weight, highest first; equal ones by time, then by insertion.
 *
 * Source: sorted_tx_container in src/cryptonote_core/tx_pool.h.
 */
export class FeeOrder {
  readonly #entries: PoolEntry[] = [];

  /** Highest fee per weight first; must not be changed. */
  get entries(): readonly PoolEntry[] {
    return this.#entries;
  }

  /** The `sortTime` of an entry must not change while it is in the order. */
  add(entry: PoolEntry): void {
    this.#entries.splice(this.#search(entry, 'after'), 0, entry);
  }

  remove(entry: PoolEntry): void {
    for (let at = this.#search(entry, 'before'); at < this.#entries.length; at++) {
      if (this.#entries[at] === entry) {
        this.#entries.splice(at, 1);
        return;
      }
    }
  }

  /** Where the entries that compare equal to `entry` begin, or end. */
  #search(entry: PoolEntry, side: 'before' | 'after'): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(this.#entries[middle] as PoolEntry, entry);
      if (order < 0 || (order === 0 && side === 'after')) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compare(a: PoolEntry, b: PoolEntry): number {
  if (a.rate !== b.rate) return a.rate > b.rate ? -1 : 1;
  return a.sortTime - b.sortTime;
}
