import { monotonicMilliseconds } from '@monero-node/base';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { EventNames } from './names.ts';
import type { RefusedPulls } from './refused-pulls.ts';
import { ABORTS, takeMessages, whyOver } from './take-messages.ts';

/** State of a transaction in the stream. */
export interface PoolEntryState {
  /** Whether it is in the pool. */
  readonly isIn: boolean;
  /** The node that said so. */
  readonly publisher: string;
}

/** Most transactions that are read: more than a pool of any size has. */
const MAX_ENTRIES = 2_000_000;
/** Most messages that a server is asked for at a time. */
const FETCHED = 128;
/** Milliseconds without a message after which no more are expected: the stream may have been emptied meanwhile. */
const QUIET_MS = 10_000;

export interface PoolStateSource {
  readonly jetstream: JetStreamClient;
  readonly names: Pick<EventNames, 'poolStream' | 'poolSubjects'>;
  readonly pulls: RefusedPulls;
}

/**
 * Reads what the stream says of each transaction, by its id (64 hex digits), until the signal is aborted. Rejects with errors of the
 * broker, with the refusal when it does not allow this login to read, and with Error when messages stay away for 10 s.
 */
export async function readPoolState(
  { jetstream, names, pulls }: PoolStateSource,
  signal: AbortSignal,
): Promise<Map<string, PoolEntryState>> {
  const { poolStream } = names;
  const states = new Map<string, PoolEntryState>();
  const consumer = await jetstream.consumers.get(poolStream, {
    filter_subjects: names.poolSubjects,
    headers_only: true,
  });
  const { num_pending: pending } = await consumer.info();
  if (pending === 0) return states;
  pulls.take(poolStream);
  const messages = await consumer.consume({ max_messages: FETCHED, ...ABORTS });
  const whole = new AbortController();
  let heardAt = monotonicMilliseconds();
  const take = (message: JsMsg): Promise<void> => {
    heardAt = monotonicMilliseconds();
    const key = message.subject.slice(message.subject.lastIndexOf('.') + 1);
    if (/^[0-9a-f]{64}$/.test(key) && states.size < MAX_ENTRIES) {
      const isIn = message.headers?.get('Monero-Type') === 'pool.added';
      states.set(key, { isIn, publisher: message.headers?.get('Monero-Publisher') ?? '' });
    }
    if (message.info.pending === 0) whole.abort();
    return Promise.resolve();
  };
  await takeMessages(messages, take, {
    signal: AbortSignal.any([signal, whole.signal]),
    maxWaiting: 2 * FETCHED,
    whyOver: async () => {
      const reason = (await whyOver(consumer)) ?? pulls.take(poolStream);
      if (reason !== undefined || monotonicMilliseconds() - heardAt <= QUIET_MS) return reason;
      return new Error(`the broker sends no more messages of the stream ${poolStream}`);
    },
  });
  return states;
}
