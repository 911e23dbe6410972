import { toHex } from '@monero-node/codec';
import { ChangeLog } from './change-log.ts';
import { FeeOrder } from './fee-order.ts';
import type { PoolEntry } from './pool-entry.ts';
import type { RelayMethod } from './relay-method.ts';

/** The transactions of the pool and the indexes over them, all in memory and synchronous. */
export class PoolState {
  readonly log = new ChangeLog();
  readonly #entries = new Map<string, PoolEntry>();
  readonly #spenders = new Map<string, Set<PoolEntry>>();
  readonly #order = new FeeOrder();
  #weight = 0;
  #revision = 0;
  #byId: readonly PoolEntry[] | undefined;

  get size(): number {
    return this.#entries.size;
  }

  /** Sum of all weights. */
  get weight(): number {
    return this.#weight;
  }

  /** The transactions, in no particular order. */
  get entries(): Iterable<PoolEntry> {
    return this.#entries.values();
  }

  /** Changes whenever the set of selectable transactions changes. */
  get revision(): number {
    return this.#revision;
  }

  /** Highest fee per weight first. */
  get byFee(): readonly PoolEntry[] {
    return this.#order.entries;
  }

  /** Ordered by id, last byte first, as in monerod's database. */
  get byId(): readonly PoolEntry[] {
    this.#byId ??= [...this.#entries.values()].sort((a, b) => compareIds(a.id, b.id));
    return this.#byId;
  }

  /** @param key id, 64 hex digits */
  get(key: string): PoolEntry | undefined {
    return this.#entries.get(key);
  }

  /** The transactions that spend a key image (32 bytes); several only if blocks brought them. */
  spenders(keyImage: Uint8Array): ReadonlySet<PoolEntry> {
    return this.#spenders.get(toHex(keyImage)) ?? NOBODY;
  }

  /** Returns the transactions other than `key` that spend one of the key images. */
  conflicts(key: string, keyImages: readonly Uint8Array[]): PoolEntry[] {
    const found = new Set<PoolEntry>();
    for (const keyImage of keyImages) {
      for (const entry of this.spenders(keyImage)) if (entry.key !== key) found.add(entry);
    }
    return [...found];
  }

  /** @param now Unix seconds */
  add(entry: PoolEntry, now: number): void {
    this.#revision++;
    this.#entries.set(entry.key, entry);
    this.#weight += entry.weight;
    this.#byId = undefined;
    this.#order.add(entry);
    for (const keyImage of entry.keyImages) {
      const key = toHex(keyImage);
      const set = this.#spenders.get(key);
      if (set === undefined) this.#spenders.set(key, new Set([entry]));
      else set.add(entry);
    }
    this.log.add(entry, now);
  }

  /** Changes the relay method of an entry, and moves it in the fee order as if it had joined at `now`. */
  renew(entry: PoolEntry, now: number, relay: RelayMethod): void {
    this.#revision++;
    this.#order.remove(entry);
    entry.relay = relay;
    entry.sortTime = now;
    this.#order.add(entry);
    this.log.add(entry, now);
  }

  remove(entry: PoolEntry, now: number): void {
    if (!this.#entries.delete(entry.key)) return;
    this.#revision++;
    this.#weight -= entry.weight;
    this.#byId = undefined;
    this.#order.remove(entry);
    for (const keyImage of entry.keyImages) {
      const key = toHex(keyImage);
      const set = this.#spenders.get(key);
      set?.delete(entry);
      if (set?.size === 0) this.#spenders.delete(key);
    }
    this.log.remove(entry, now);
  }

  /**
   * Returns the transactions to evict so that the weight is at most `limit`: the worst paid first, none from
   * blocks, and never the best paid.
   *
   * Source: tx_memory_pool::prune in src/cryptonote_core/tx_pool.cpp.
   */
  excess(limit: number): PoolEntry[] {
    const found: PoolEntry[] = [];
    let weight = this.#weight;
    for (let at = this.byFee.length - 1; at > 0 && weight > limit; at--) {
      const entry = this.byFee[at] as PoolEntry;
      if (entry.keptByBlock) continue;
      found.push(entry);
      weight -= entry.weight;
    }
    return found;
  }
}

const NOBODY: ReadonlySet<PoolEntry> = new Set();

function compareIds(a: Uint8Array, b: Uint8Array): number {
  for (let i = a.length - 1; i >= 0; i--) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
