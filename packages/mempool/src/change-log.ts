import { MAX_REMOVALS, REMOVALS_KEPT } from './limits.ts';
import type { PoolEntry } from './pool-entry.ts';

interface Removal {
  readonly id: Uint8Array;
  readonly time: number;
  readonly isPublic: boolean;
}

/** What changed in the pool since a moment. */
export interface PoolChanges {
  /** False: too much was forgotten since; `added` is then everything, and nothing is said of removals. */
  readonly incremental: boolean;
  /** Those still in the pool. */
  readonly added: readonly PoolEntry[];
  /** Ids; one that came back is listed as added too. */
  readonly removed: readonly Uint8Array[];
}

/**
 * Remembers when transactions joined, became public and left, for clients that ask for changes only.
 * Source: get_pool_info in src/cryptonote_core/tx_pool.cpp. Times are Unix seconds.
 */
export class ChangeLog {
  readonly #added = new Map<PoolEntry, number>();
  #removals: Removal[] = [];
  /** From when on additions and removals are known; 0: nothing has happened yet. */
  #addedSince = 0;
  #removedSince = 0;

  /** Also when it becomes public: to those who see only public ones it is new then. */
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

  /** Forgets when things happened: everyone has to begin anew. */
  reset(): void {
    this.#removals = [];
    this.#addedSince = 0;
    this.#removedSince = 0;
  }

  /** @param since 0 for everything */
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
