import type { PoolStore } from '@monero-node/storage';
import type { PoolEntry } from './pool-entry.ts';

/**
 * Writes changes of the pool to storage, one commit at a time. Changes made during a commit go into the
 * next one, each entry once with its latest state.
 */
export class PoolWriter {
  readonly #store: PoolStore;
  #puts = new Map<string, PoolEntry>();
  #updates = new Map<string, PoolEntry>();
  #removals = new Map<string, PoolEntry>();
  #running: Promise<void> | undefined;

  constructor(store: PoolStore) {
    this.#store = store;
  }

  /** Queues a new entry; its bytes stay in memory until they are stored. */
  put(entry: PoolEntry): void {
    this.#puts.set(entry.key, entry);
  }

  /** Queues the changed record of an entry. */
  update(entry: PoolEntry): void {
    if (!this.#puts.has(entry.key)) this.#updates.set(entry.key, entry);
  }

  /** Queues the removal of an entry. */
  remove(entry: PoolEntry): void {
    this.#puts.delete(entry.key);
    this.#updates.delete(entry.key);
    this.#removals.set(entry.key, entry);
  }

  /** Resolves when all changes queued so far are stored. Throws StorageError. */
  async saved(): Promise<void> {
    // The commit under way does not include the newest changes; the one after it does.
    await this.#running?.catch(() => undefined);
    this.#running ??= this.#commit().finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #commit(): Promise<void> {
    // All changes of this turn of the event loop go into one commit.
    await Promise.resolve();
    const [puts, updates, removals] = [this.#puts, this.#updates, this.#removals];
    if (puts.size + updates.size + removals.size === 0) return;
    this.#puts = new Map();
    this.#updates = new Map();
    this.#removals = new Map();
    try {
      await this.#store.commit({
        removePool: [...removals.values()].map(({ id }) => id),
        putPool: [...puts.values()].map(({ id, blob, meta }) => ({ id, blob, meta })),
        updatePool: [...updates.values()].map(({ id, meta }) => ({ id, meta })),
      });
    } catch (error) {
      // The next commit includes these changes, for callers that wait for it.
      this.#puts = new Map([...puts, ...this.#puts]);
      this.#updates = new Map([...updates, ...this.#updates]);
      this.#removals = new Map([...removals, ...this.#removals]);
      for (const key of this.#removals.keys()) this.#puts.delete(key);
      throw error;
    }
    for (const entry of puts.values()) if (!this.#removals.has(entry.key)) entry.unpin();
  }
}
