import type { EventEmitter } from 'node:events';
import { toHex } from '@monero-node/codec';
import {
  BoundedMap,
  Yielder,
  type Logger,
  type MillisecondClock,
  type SecondClock,
} from '@monero-node/base';
import { ClockWatch } from './relay/clock-watch.ts';
import type { RemovalReason, TxPoolEvents } from './events.ts';
import { LIFETIME, LIFETIME_FROM_BLOCK, MAX_TIMED_OUT, MAX_UNSAVED_WEIGHT } from './limits.ts';
import type { PoolEntry } from './store/pool-entry.ts';
import type { PoolState } from './store/pool-state.ts';
import { MOST_PER_COMMIT, type PoolWriter } from './store/pool-writer.ts';
import { isUpgrade, type RelayMethod } from './store/relay-method.ts';
import type { RelaySchedule } from './relay/relay-schedule.ts';

export interface PoolEditorDependencies {
  readonly state: PoolState;
  readonly writer: PoolWriter;
  readonly schedule: RelaySchedule;
  readonly logger: Logger;
  readonly now: SecondClock;
  /** Milliseconds of a clock that cannot be set. */
  readonly elapsed: MillisecondClock;
  /** Bound of the sum of all weights. */
  readonly maxWeight: number;
  readonly emit: EventEmitter<TxPoolEvents>['emit'];
}

/**
 * Makes all changes of the pool: in memory at once, then as an event, and in storage with the next `saved` or `save`. Clients and
 * blocks that add transactions wait for `saved`, and that one of ours was sent is stored at once. Other changes may wait: without them, a pool
 * that is loaded again lacks transactions of peers, which other peers have too, sends some of others once more and drops those that are in the chain.
 */
export class PoolEditor {
  readonly schedule: RelaySchedule;
  readonly now: SecondClock;
  readonly #deps: PoolEditorDependencies;
  readonly #state: PoolState;
  readonly #writer: PoolWriter;
  readonly #clockWatch: ClockWatch;
  readonly #timedOut = new BoundedMap<string, true>(MAX_TIMED_OUT);

  constructor(deps: PoolEditorDependencies) {
    this.#deps = deps;
    this.#state = deps.state;
    this.#writer = deps.writer;
    this.schedule = deps.schedule;
    this.now = deps.now;
    this.#clockWatch = new ClockWatch(deps.now, deps.elapsed);
  }

  /** Adds a new transaction. Evicts the worst paid ones, possibly this one, if the weight becomes too much. */
  insert(entry: PoolEntry): void {
    const { logger, emit, maxWeight } = this.#deps;
    this.#state.add(entry, this.now());
    this.#writer.put(entry);
    logger.debug(`transaction ${entry.key} added: weight ${entry.weight}, fee ${entry.fee}`);
    emit('added', entry);
    if (entry.broadcast) emit('published', [entry], { isNews: !entry.keptByBlock });
    for (const evicted of this.#state.excess(maxWeight)) this.remove(evicted, 'evicted');
  }

  /**
   * Evicts what is above the limit, which may have been lowered since the pool was stored. The event loop gets its turns in
   * between. Resolves when all changes so far are stored: until then, the bytes of what was evicted are in memory.
   */
  async trim(yielder = new Yielder()): Promise<void> {
    await this.removeAll(this.#state.excess(this.#deps.maxWeight), 'evicted', yielder);
  }

  /**
   * Removes many transactions, with turns of the event loop in between. Resolves to how many were still in the pool, when all changes so far are
   * stored: the bytes of few are in memory at a time. Throws StorageError.
   */
  async removeAll(
    entries: readonly PoolEntry[],
    reason: RemovalReason,
    yielder = new Yielder(),
  ): Promise<number> {
    let count = 0;
    for (const entry of entries) {
      await yielder.yieldIfDue();
      if (this.#state.get(entry.key) !== entry) continue;
      this.remove(entry, reason);
      if (++count % MOST_PER_COMMIT === 0) await this.saved();
    }
    await this.saved();
    return count;
  }

  /** Removes a transaction; does nothing if it is not in the pool. */
  remove(entry: PoolEntry, reason: RemovalReason): void {
    if (this.#state.get(entry.key) !== entry) return;
    entry.pin();
    this.#state.remove(entry, this.now());
    this.#writer.remove(entry);
    this.#deps.emit('removed', { transaction: entry, reason });
  }

  /** Notes that the record of an entry has to be stored again. */
  changed(entry: PoolEntry): void {
    if (this.#state.get(entry.key) !== entry) return;
    this.#writer.update(entry);
  }

  /** Changes the relay method of an entry, which may make it public. For a block that is no news. */
  setRelay(entry: PoolEntry, method: RelayMethod): void {
    const wasPublic = entry.broadcast;
    this.#state.renew(entry, this.now(), method);
    this.changed(entry);
    if (!wasPublic && entry.broadcast)
      this.#deps.emit('published', [entry], { isNews: method !== 'block' });
  }

  /** Records that somebody tried to spend the key images of these entries again. */
  markDoubleSpends(entries: readonly PoolEntry[]): void {
    for (const entry of entries) {
      if (entry.doubleSpendSeen) continue;
      entry.doubleSpendSeen = true;
      this.changed(entry);
    }
  }

  /** Records that transactions were sent to peers by a method. */
  markRelayed(ids: readonly Uint8Array[], method: RelayMethod): void {
    const now = this.now();
    const published: PoolEntry[] = [];
    let areOurs = false;
    for (const id of ids) {
      const entry = this.#state.get(toHex(id));
      if (entry === undefined) continue;
      const wasPublic = entry.broadcast;
      areOurs ||= entry.relay === 'local' || entry.relay === 'forward';
      const relay = isUpgrade(entry.relay, method) ? method : entry.relay;
      entry.relayed = true;
      entry.relayTime = relay === 'stem' ? this.schedule.dueTime('stem', now) : now;
      if (relay !== entry.relay) this.#state.renew(entry, now, relay);
      if (!wasPublic && entry.broadcast) published.push(entry);
      this.changed(entry);
    }
    // Whoever saw it come out of this node twice, along another stem after a crash, would know where it is from.
    if (areOurs) this.save();
    if (published.length > 0) this.#deps.emit('published', published, { isNews: true });
  }

  /** Announces transactions that are due to be sent (again). */
  relayDue(): void {
    this.#followClock();
    const changed = (entry: PoolEntry) => this.changed(entry);
    const due = this.schedule.due(this.#state.byId, this.now(), changed);
    for (const [method, transactions] of due) this.#deps.emit('relay', { transactions, method });
  }

  /** Moves all times with the system's clock when it was set: otherwise relays would be held, or all be due. */
  #followClock(): void {
    const jump = this.#clockWatch.jump();
    if (jump === 0) return;
    this.schedule.move(jump);
    for (const entry of this.#state.entries) {
      entry.receiveTime += jump;
      if (entry.relayTime !== undefined) entry.relayTime += jump;
      this.changed(entry);
    }
  }

  /**
   * Removes transactions that are too old; they are not accepted again. The event loop gets its turns in between, and the bytes of few are in
   * memory at a time: after days without the node, a whole pool may be too old. Stops, and logs why, when changes cannot be stored.
   */
  async expire(yielder = new Yielder()): Promise<void> {
    this.#followClock();
    let count = 0;
    for (const entry of this.#state.entries) {
      await yielder.yieldIfDue();
      if (!this.#isTooOld(entry)) continue;
      this.remove(entry, 'expired');
      this.#timedOut.set(entry.key, true);
      if (++count % MOST_PER_COMMIT === 0 && !(await this.#trySave())) return;
    }
  }

  /** Whether the lifetime of an entry is over, if it is still in the pool. */
  #isTooOld(entry: PoolEntry): boolean {
    const lifetime = entry.keptByBlock ? LIFETIME_FROM_BLOCK : LIFETIME;
    return this.#state.get(entry.key) === entry && this.now() - entry.receiveTime > lifetime;
  }

  /** @param key id in hex */
  isTimedOut(key: string): boolean {
    return this.#timedOut.has(key);
  }

  /** Resolves when all changes so far are stored. Throws StorageError. */
  saved(): Promise<void> {
    return this.#writer.saved();
  }

  /** Resolves when what is in memory only is little, or stored. Throws StorageError. */
  keptUp(): Promise<void> {
    return this.#writer.keptUp(MAX_UNSAVED_WEIGHT);
  }

  /** Stores all changes so far, for nobody who waits. */
  save(): void {
    void this.#trySave();
  }

  /** Resolves to whether all changes so far could be stored; logs why not. */
  async #trySave(): Promise<boolean> {
    try {
      await this.#writer.saved();
      return true;
    } catch (error) {
      this.#deps.logger.error(`the transaction pool could not be stored: ${String(error)}`);
      return false;
    }
  }
}
