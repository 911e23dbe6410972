import { toHex } from '@monero-node/codec';
import { ChangeLog } from './change-log.ts';
import { FeeOrder } from './fee-order.ts';
import { IdOrder } from './id-order.ts';
import { PoolEntry } from './pool-entry.ts';
import type { RelayMethod } from './relay-method.ts';

/** The transactions of the pool and the indexes over them, all in memory and synchronous. */
export class PoolState {
  readonly log = new ChangeLog();
  readonly #entries = new Map<string, PoolEntry>();
  /** By key image; lists only where there are several, because most have one. */
  readonly #spenders = new Map<string, PoolEntry | readonly PoolEntry[]>();
  readonly #order = new FeeOrder();
  readonly #byId = new IdOrder();
  #weight = 0;
  #revision = 0;
  #publicCount = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** Number of transactions that are public. */
  get publicCount(): number {
    return this.#publicCount;
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

  /** Highest fee per weight first; a later change does not affect the list. */
  get byFee(): readonly PoolEntry[] {
    return this.#order.list();
  }

  /** Ordered by id, last byte first, as in monerod's database; a later change does not affect the list. */
  get byId(): readonly PoolEntry[] {
    return this.#byId.list();
  }

  /** @param key id, 64 hex digits */
  get(key: string): PoolEntry | undefined {
    return this.#entries.get(key);
  }

  /** The transactions that spend a key image (32 bytes); several only if blocks brought them. */
  spenders(keyImage: Uint8Array): readonly PoolEntry[] {
    const found = this.#spenders.get(toHex(keyImage)) ?? NOBODY;
    return found instanceof PoolEntry ? [found] : found;
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
    if (entry.broadcast) this.#publicCount++;
    this.#byId.add(entry);
    this.#order.add(entry);
    for (const keyImage of entry.keyImages) {
      this.#setSpenders(keyImage, [...this.spenders(keyImage), entry]);
    }
    this.log.add(entry, now);
  }

  /** Changes the relay method of an entry, and moves it in the fee order as if it had joined at `now`. */
  renew(entry: PoolEntry, now: number, relay: RelayMethod): void {
    this.#revision++;
    this.#order.remove(entry);
    const wasPublic = entry.broadcast;
    entry.relay = relay;
    this.#publicCount += Number(entry.broadcast) - Number(wasPublic);
    entry.sortTime = now;
    this.#order.add(entry);
    this.log.add(entry, now);
  }

  remove(entry: PoolEntry, now: number): void {
    if (!this.#entries.delete(entry.key)) return;
    this.#revision++;
    this.#weight -= entry.weight;
    if (entry.broadcast) this.#publicCount--;
    this.#byId.remove(entry);
    this.#order.remove(entry);
    for (const keyImage of entry.keyImages) {
      const others = this.spenders(keyImage).filter((other) => other !== entry);
      this.#setSpenders(keyImage, others);
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
    let others = this.size - 1;
    for (const entry of this.#order.worstFirst()) {
      if (weight <= limit || others-- === 0) break;
      if (entry.keptByBlock) continue;
      found.push(entry);
      weight -= entry.weight;
    }
    return found;
  }

  #setSpenders(keyImage: Uint8Array, spenders: readonly PoolEntry[]): void {
    const key = toHex(keyImage);
    const [only] = spenders;
    if (only === undefined) this.#spenders.delete(key);
    else this.#spenders.set(key, spenders.length === 1 ? only : spenders);
  }
}

const NOBODY: readonly PoolEntry[] = [];
