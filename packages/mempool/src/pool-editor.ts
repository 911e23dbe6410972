import type { EventEmitter } from 'node:events';
import { toHex } from '@monero-node/codec';
import type { Logger } from '@monero-node/base';
import type { RemovalReason, TxPoolEvents } from './events.ts';
import { LIFETIME, LIFETIME_FROM_BLOCK, MAX_TIMED_OUT } from './limits.ts';
import type { PoolEntry } from './pool-entry.ts';
import type { PoolState } from './pool-state.ts';
import type { PoolWriter } from './pool-writer.ts';
import { trim } from './refusals.ts';
import { isUpgrade, type RelayMethod } from './relay-method.ts';
import type { RelaySchedule } from './relay-schedule.ts';

export interface PoolEditorDependencies {
  readonly state: PoolState;
  readonly writer: PoolWriter;
  readonly schedule: RelaySchedule;
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
  readonly maxWeight: number;
  readonly emit: EventEmitter<TxPoolEvents>['emit'];
}

/** Every change of the pool goes through here: made in memory at once, announced, and stored soon after. */
export class PoolEditor {
  readonly schedule: RelaySchedule;
  readonly now: () => number;
  readonly #deps: PoolEditorDependencies;
  readonly #state: PoolState;
  readonly #writer: PoolWriter;
  readonly #timedOut = new Set<string>();

  constructor(deps: PoolEditorDependencies) {
    this.#deps = deps;
    this.#state = deps.state;
    this.#writer = deps.writer;
    this.schedule = deps.schedule;
    this.now = deps.now;
  }

  /** Puts a new transaction in; others, or it itself, may have to go for its weight. */
  insert(entry: PoolEntry): void {
    const { logger, emit, maxWeight } = this.#deps;
    this.#state.add(entry, this.now());
    this.#writer.put(entry);
    logger.debug(`transaction ${entry.key} added: weight ${entry.weight}, fee ${entry.fee}`);
    emit('added', entry);
    if (entry.broadcast) emit('published', [entry]);
    for (const evicted of this.#state.excess(maxWeight)) this.remove(evicted, 'evicted');
  }

  remove(entry: PoolEntry, reason: RemovalReason): void {
    if (this.#state.get(entry.key) !== entry) return;
    entry.pin();
    this.#state.remove(entry, this.now());
    this.#writer.remove(entry);
    this.#save();
    this.#deps.emit('removed', { transaction: entry, reason });
  }

  /** The record of an entry is another now. */
  changed(entry: PoolEntry): void {
    if (this.#state.get(entry.key) !== entry) return;
    this.#writer.update(entry);
    this.#save();
  }

  setRelay(entry: PoolEntry, method: RelayMethod): void {
    const wasPublic = entry.broadcast;
    this.#state.renew(entry, this.now(), method);
    this.changed(entry);
    if (!wasPublic && entry.broadcast) this.#deps.emit('published', [entry]);
  }

  markDoubleSpends(entries: readonly PoolEntry[]): void {
    for (const entry of entries) {
      if (entry.doubleSpendSeen) continue;
      entry.doubleSpendSeen = true;
      this.changed(entry);
    }
  }

  /** Transactions were sent to peers by that method. */
  markRelayed(ids: readonly Uint8Array[], method: RelayMethod): void {
    const now = this.now();
    const published: PoolEntry[] = [];
    for (const id of ids) {
      const entry = this.#state.get(toHex(id));
      if (entry === undefined) continue;
      const wasPublic = entry.broadcast;
      const relay = isUpgrade(entry.relay, method) ? method : entry.relay;
      entry.relayed = true;
      entry.relayTime = relay === 'stem' ? this.schedule.dueTime('stem', now) : now;
      if (relay !== entry.relay) this.#state.renew(entry, now, relay);
      if (!wasPublic && entry.broadcast) published.push(entry);
      this.changed(entry);
    }
    if (published.length > 0) this.#deps.emit('published', published);
  }

  /** Announces transactions whose time to be sent (again) has come. */
  relayDue(): void {
    const changed = (entry: PoolEntry) => this.changed(entry);
    const due = this.schedule.due(this.#state.byId, this.now(), changed);
    for (const [method, transactions] of due) this.#deps.emit('relay', { transactions, method });
  }

  /** Gives up what is too old; those ids are not taken again. */
  expire(): void {
    const now = this.now();
    for (const entry of this.#state.byId) {
      const lifetime = entry.keptByBlock ? LIFETIME_FROM_BLOCK : LIFETIME;
      if (now - entry.receiveTime <= lifetime) continue;
      this.#timedOut.add(entry.key);
      this.remove(entry, 'expired');
    }
    trim(this.#timedOut, MAX_TIMED_OUT);
  }

  /** @param key id in hex */
  isTimedOut(key: string): boolean {
    return this.#timedOut.has(key);
  }

  /** Resolves when all changes so far are stored. @throws StorageError */
  saved(): Promise<void> {
    return this.#writer.saved();
  }

  /** Stores changes that nobody waits for. */
  #save(): void {
    this.#writer.saved().catch((error: unknown) => {
      this.#deps.logger.error(`the transaction pool could not be stored: ${String(error)}`);
    });
  }
}
