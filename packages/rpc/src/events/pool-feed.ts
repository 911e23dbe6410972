import type { PoolTransaction, RemovalReason } from '@monero-node/mempool';
import { toHex } from '@monero-node/codec';
import { eventMessage } from './message.ts';

/** Messages that are kept at least, and at most twice as many, for clients that are behind: some 100 kB. */
const MOST_KEPT = 2000;
/** Most of them that a client is sent at a time. */
const MOST_SENT = 500;

/**
 * Tells what enters and leaves the pool. Only public transactions are told, as with NATS and ZeroMQ: which ones a node keeps to itself
 * says where they come from. A client that falls behind further than messages are kept has to ask for the whole pool.
 */
export class PoolFeed {
  #kept: Uint8Array[] = [];
  /** Number of the newest message. */
  #newest = 0;

  get newest(): number {
    return this.#newest;
  }

  published(transactions: readonly PoolTransaction[]): void {
    for (const { id, fee, weight } of transactions)
      this.#put(eventMessage('pool.added', { id: toHex(id), fee: String(fee), weight }));
  }

  removed({ id, broadcast }: PoolTransaction, reason: RemovalReason): void {
    if (broadcast) this.#put(eventMessage('pool.removed', { id: toHex(id), reason }));
  }

  /** Nobody reads. */
  clear(): void {
    this.#kept = [];
  }

  /** Returns messages after one, and the number of the last; undefined when some of them are not kept. */
  after(seen: number): { readonly messages: Uint8Array[]; readonly seen: number } | undefined {
    const oldest = this.#newest - this.#kept.length;
    if (seen < oldest) return undefined;
    const messages = this.#kept.slice(seen - oldest, seen - oldest + MOST_SENT);
    return { messages, seen: seen + messages.length };
  }

  #put(message: Uint8Array): void {
    this.#kept.push(message);
    this.#newest += 1;
    // A part at a time: each removal of the first moves all others.
    if (this.#kept.length >= 2 * MOST_KEPT) this.#kept.splice(0, this.#kept.length - MOST_KEPT);
  }
}
