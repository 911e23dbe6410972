import { MAX_REMOVALS, REMOVALS_KEPT } from '../limits.ts';
import type { PoolEntry, PoolTransaction } from './pool-entry.ts';

interface Addition {
  /** Undefined once it has left, or has been added again. */
  entry: PoolEntry | undefined;
  readonly time: number;
}

interface Removal {
  readonly id: Uint8Array;
  readonly time: number;
  readonly isPublic: boolean;
}

/** Fewer additions are kept with their gaps. */
const MIN_COMPACTED = 64;

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
  readonly #added = new Map<PoolEntry, Addition>();
  /** The same in the order in which they were made, with gaps. */
  #additions: Addition[] = [];
  /** Whether their times never go back, so that the newest can be read from the end. */
  #inOrder = true;
  #removals: Removal[] = [];
  /** Times since which additions and removals are known; 0 before the first one. */
  #addedSince = 0;
  #removedSince = 0;

  /** Call it also when an entry becomes public: then it is new to clients that see only public ones. */
  add(entry: PoolEntry, now: number): void {
    this.#forget(entry);
    const addition = { entry, time: now };
    this.#added.set(entry, addition);
    if (now < (this.#additions.at(-1)?.time ?? now)) this.#inOrder = false;
    this.#additions.push(addition);
    if (this.#addedSince === 0) this.#addedSince = now;
  }

  remove(entry: PoolEntry, now: number): void {
    this.#forget(entry);
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
    const added: PoolEntry[] = [];
    const from = incremental ? this.#firstSince(since) : 0;
    for (let at = from; at < this.#additions.length; at++) {
      const { entry, time } = this.#additions[at] as Addition;
      if (entry === undefined || (incremental && time < since)) continue;
      if (includePrivate || entry.broadcast) added.push(entry);
    }
    const removed = incremental
      ? this.#removals.filter(({ time, isPublic }) => time >= since && (includePrivate || isPublic))
      : [];
    return { incremental, added, removed: removed.map(({ id }) => id) };
  }

  /** Returns the index of the first addition at or after a moment; 0 unless the additions are in order of time. */
  #firstSince(since: number): number {
    if (!this.#inOrder) return 0;
    let at = this.#additions.length;
    while (at > 0 && (this.#additions[at - 1] as Addition).time >= since) at--;
    return at;
  }

  #forget(entry: PoolEntry): void {
    const addition = this.#added.get(entry);
    if (addition === undefined) return;
    addition.entry = undefined;
    this.#added.delete(entry);
    // Half of the list may be gaps.
    if (this.#additions.length > MIN_COMPACTED && this.#additions.length > 2 * this.#added.size) {
      this.#additions = this.#additions.filter(({ entry: left }) => left !== undefined);
    }
  }
}
