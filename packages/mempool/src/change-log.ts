import { MAX_REMOVALS, REMOVALS_KEPT } from './limits.ts';
import type { PoolEntry, PoolTransaction } from './pool-entry.ts';

interface Removal {
  readonly id: Uint8Array;
  readonly time: number;
  readonly isPublic: boolean;
}

/** The changes of the pool since a moment. */
export interface PoolChanges {
  /** False when too much has been forgotten: then `added` is the whole pool, and `removed` is empty. */
  readonly incremental: boolean;
  /** Transactions that are still in the pool. */
  readonly added: readonly PoolTransaction[];
  /** Ids, 32 bytes each; one that has returned is in `added` too. */
  readonly removed: readonly Uint8Array[];
}

/**
 * Remembers when transactions joined, became public and left, for clients that ask for changes only.
 * Times are Unix seconds.
 *
 * Source: tx_memory_pool::get_pool_info in src/cryptonote_core/tx_pool.cpp.
 */
export class ChangeLog {
  readonly #added = new Map<PoolEntry, number>();
  #removals: Removal[] = [];
  /** Times since which additions and removals are known; 0 before the first one. */
  #addedSince = 0;
  #removedSince = 0;

  /** Call it also when an entry becomes public: then it is new to clients that see only public ones. */
  add(entry: PoolEntry, now: number): void {
    this.#added.set(entry, now);
    if (this.#addedSince === 0) this.#addedSince = now;
  }

  remove(entry: PoolEntry, now: number): void {
    this.#added.delete(entry);
    this.#removals.push({ id: entry.id, time: now, isPublic: entry.broadcast });
    if (this.#removedSince === 0) this.#removedSince = now;
    if (this.#removals.length > MAX_REMOVALS) {
      this.#removals = this.#removals.slice(MAX_REMOVALS / 4 + 1);
      this.#removedSince = this.#removals[0]?.time ?? now;
      return;
    }
    const earliest = now - REMOVALS_KEPT;
    const kept = this.#removals.findIndex(({ time }) => time >= earliest);
    if (kept > 0) {
      this.#removals.splice(0, kept);
      this.#removedSince = earliest;
    }
  }

  /** Forgets all times: the next answer to every client is the whole pool. */
  reset(): void {
    this.#removals = [];
    this.#addedSince = 0;
    this.#removedSince = 0;
  }

  /** @param since Unix seconds; 0 for the whole pool */
  since(since: number, includePrivate: boolean): PoolChanges {
    const starts = [this.#addedSince, this.#removedSince];
    const incremental = since !== 0 && starts.every((start) => start !== 0 && since > start);
    const added = [...this.#added].filter(
      ([entry, time]) => (includePrivate || entry.broadcast) && (!incremental || time >= since),
    );
    const removed = incremental
      ? this.#removals.filter(({ time, isPublic }) => time >= since && (includePrivate || isPublic))
      : [];
    return {
      incremental,
      added: added.map(([entry]) => entry),
      removed: removed.map(({ id }) => id),
    };
  }
}
