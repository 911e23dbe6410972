import type { PoolStore } from '@monero-node/storage';
import type { PoolEntry } from './pool-entry.ts';

/** Changes that go into one commit: LMDB takes over the rows of a commit in one turn of the event loop. */
export const MOST_PER_COMMIT = 500;
/** Weight of the new entries of a commit, unless one alone has more: their bytes, which are at most as many, are copied in that turn. */
const MOST_WEIGHT_PER_COMMIT = 2_000_000;

type Kind = 'remove' | 'put' | 'update';
type Change = readonly [kind: Kind, entry: PoolEntry];

/**
 * Writes changes of the pool to storage, one commit at a time, each entry with its latest state. Many changes, and large ones, take
 * several commits. Changes made meanwhile follow after them.
 */
export class PoolWriter {
  readonly #store: PoolStore;
  #puts = new Map<string, PoolEntry>();
  #updates = new Map<string, PoolEntry>();
  #removals = new Map<string, PoolEntry>();
  /** Of the entries that are queued with their bytes, new and removed ones: at least as much as these bytes. */
  #queuedWeight = 0;
  #running: Promise<void> | undefined;

  constructor(store: PoolStore) {
    this.#store = store;
  }

  /** Queues a new entry; its bytes stay in memory until they are stored. */
  put(entry: PoolEntry): void {
    // It replaces the stored one, which need not be removed first.
    this.#forget(this.#removals, entry);
    this.#queue(this.#puts, entry);
  }

  /** Queues the changed record of an entry. */
  update(entry: PoolEntry): void {
    if (!this.#puts.has(entry.key)) this.#updates.set(entry.key, entry);
  }

  /** Queues the removal of an entry, whose bytes stay in memory until then. */
  remove(entry: PoolEntry): void {
    this.#forget(this.#puts, entry);
    this.#updates.delete(entry.key);
    this.#queue(this.#removals, entry);
  }

  #queue(queue: Map<string, PoolEntry>, entry: PoolEntry): void {
    this.#forget(queue, entry);
    queue.set(entry.key, entry);
    this.#queuedWeight += entry.weight;
  }

  #forget(queue: Map<string, PoolEntry>, { key }: PoolEntry): void {
    this.#queuedWeight -= queue.get(key)?.weight ?? 0;
    queue.delete(key);
  }

  /**
   * Resolves at once while the new and the removed entries that are queued weigh at most `maxWeight`, else when all changes queued so far are
   * stored. Throws StorageError.
   */
  async keptUp(maxWeight: number): Promise<void> {
    if (this.#queuedWeight > maxWeight) await this.saved();
  }

  /** Resolves when all changes queued so far are stored. Throws StorageError. */
  async saved(): Promise<void> {
    // The commits under way do not include the newest changes; those after them do.
    await this.#running?.catch(() => undefined);
    this.#running ??= this.#commit().finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #commit(): Promise<void> {
    // All changes of this turn of the event loop are written together.
    await Promise.resolve();
    const changes = this.#take();
    let at = 0;
    while (at < changes.length) {
      const part = changes.slice(at, endOfCommit(changes, at));
      try {
        await this.#write(part);
      } catch (error) {
        this.#putBack(changes.slice(at));
        throw error;
      }
      at += part.length;
    }
  }

  /** Returns the queued changes and empties the queue. */
  #take(): Change[] {
    const of = (kind: Kind, entries: Iterable<PoolEntry>): Change[] =>
      Array.from(entries, (entry) => [kind, entry]);
    const changes = [
      ...of('remove', this.#removals.values()),
      ...of('put', this.#puts.values()),
      ...of('update', this.#updates.values()),
    ];
    for (const queue of [this.#removals, this.#puts, this.#updates]) queue.clear();
    this.#queuedWeight = 0;
    return changes;
  }

  async #write(changes: readonly Change[]): Promise<void> {
    const of = (wanted: Kind) => changes.flatMap(([kind, entry]) => (kind === wanted ? entry : []));
    const puts = of('put');
    await this.#store.commit({
      removePool: of('remove').map(({ id }) => id),
      putPool: puts.map(({ id, blob, meta }) => ({ id, blob, meta })),
      updatePool: of('update').map(({ id, meta }) => ({ id, meta })),
    });
    for (const entry of puts) if (!this.#removals.has(entry.key)) entry.unpin();
  }

  /** Queues changes that could not be stored again, for callers that wait for the next commit. Newer ones win. */
  #putBack(changes: readonly Change[]): void {
    const newer = this.#take();
    for (const [kind, entry] of [...changes, ...newer]) this[kind](entry);
  }
}

/** Returns where the commit ends that begins with a change: behind that one at least. */
function endOfCommit(changes: readonly Change[], from: number): number {
  const most = Math.min(changes.length, from + MOST_PER_COMMIT);
  let weight = 0;
  const part = changes.slice(from, most);
  for (const [i, [kind, entry]] of part.entries()) {
    if (kind === 'put') weight += entry.weight;
    if (weight > MOST_WEIGHT_PER_COMMIT && i > 0) return from + i;
  }
  return most;
}
