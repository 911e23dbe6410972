import { toHex } from '@monero-node/codec';
import type { PoolTransaction, TxPool } from '@monero-node/mempool';
import type { PoolRemovalReason } from '../messages/pool-message.ts';

/** Most changes that wait to be published; when there are more, the whole pool is compared. */
const MAX_WAITING = 10_000;

/** The last thing that happened to a transaction. */
export type QueuedChange =
  | { readonly id: Uint8Array; readonly reason: PoolRemovalReason }
  | { readonly id: Uint8Array; readonly reason: undefined };

/** Remembers for a bounded number of transactions what last happened to them in the pool. */
export class PoolQueue {
  readonly #pool: Pick<TxPool, 'on' | 'off'>;
  readonly #wake: () => void;
  readonly #changes = new Map<string, QueuedChange>();
  #overflowed = false;

  /** @param wake called when there is a change */
  constructor(pool: Pick<TxPool, 'on' | 'off'>, wake: () => void) {
    this.#pool = pool;
    this.#wake = wake;
  }

  start(): void {
    this.#pool.on('published', this.#published);
    this.#pool.on('removed', this.#removed);
  }

  stop(): void {
    this.#pool.off('published', this.#published);
    this.#pool.off('removed', this.#removed);
    this.#changes.clear();
  }

  /** Takes the oldest change out. */
  take(): QueuedChange | undefined {
    for (const [key, change] of this.#changes) {
      this.#changes.delete(key);
      return change;
    }
    return undefined;
  }

  /** Forgets all changes, because the whole pool is about to be compared. */
  clear(): void {
    this.#changes.clear();
    this.#overflowed = false;
  }

  /** Whether changes were forgotten because there were too many. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  readonly #published = (transactions: readonly PoolTransaction[]): void => {
    for (const { id } of transactions) this.#put({ id, reason: undefined });
  };

  readonly #removed = (event: {
    readonly transaction: PoolTransaction;
    readonly reason: PoolRemovalReason;
  }): void => {
    const { transaction, reason } = event;
    if (transaction.broadcast) this.#put({ id: transaction.id, reason });
  };

  #put(change: QueuedChange): void {
    const key = toHex(change.id);
    this.#changes.delete(key);
    this.#changes.set(key, change);
    if (this.#changes.size > MAX_WAITING) {
      this.#changes.clear();
      this.#overflowed = true;
    }
    this.#wake();
  }
}
