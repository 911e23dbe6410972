import type { JetStreamClient } from '@nats-io/jetstream';
import type { EventNames } from './names.ts';

/** State of a transaction in the stream. */
export interface PoolEntryState {
  /** Whether it is in the pool. */
  readonly isIn: boolean;
  /** The node that said so. */
  readonly publisher: string;
}

/** Most transactions that are read: more than a pool of any size has. */
const MAX_ENTRIES = 2_000_000;

/** Reads what the stream says of each transaction, by its id (64 hex digits). Rejects with errors of the broker. */
export async function readPoolState(
  jetstream: JetStreamClient,
  names: Pick<EventNames, 'poolStream' | 'poolSubjects'>,
  signal: AbortSignal,
): Promise<Map<string, PoolEntryState>> {
  const states = new Map<string, PoolEntryState>();
  const consumer = await jetstream.consumers.get(names.poolStream, {
    filter_subjects: names.poolSubjects,
    headers_only: true,
  });
  const { num_pending: pending } = await consumer.info();
  if (pending === 0) return states;
  const messages = await consumer.consume();
  try {
    for await (const message of messages) {
      const key = message.subject.slice(message.subject.lastIndexOf('.') + 1);
      if (/^[0-9a-f]{64}$/.test(key) && states.size < MAX_ENTRIES) {
        const isIn = message.headers?.get('Monero-Type') === 'pool.added';
        states.set(key, { isIn, publisher: message.headers?.get('Monero-Publisher') ?? '' });
      }
      if (message.info.pending === 0 || signal.aborted) break;
    }
  } finally {
    await messages.close();
  }
  return states;
}
