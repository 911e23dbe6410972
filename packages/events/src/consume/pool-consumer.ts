import type { Mutex } from '@monero-node/base';
import { jetstream, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { readEncoding } from '../broker/entry-facts.ts';
import type { EventNames } from '../broker/names.ts';
import type { RefusedPulls } from '../broker/refused-pulls.ts';
import { streamInfo } from '../broker/stream-info.ts';
import { missingStream } from '../broker/streams.ts';
import { ABORTS, takeMessages, whyOver } from '../broker/take-messages.ts';
import { decodeEvent } from '../encoding/encoding.ts';
import type { PoolHandler } from './handlers.ts';

const FETCHED = 128;

export interface PoolConsumerDependencies {
  readonly connection: NatsConnection;
  readonly handler: PoolHandler;
  readonly calls: Mutex;
  readonly pulls: RefusedPulls;
}

/**
 * Hands the pool to a handler from nothing, then its changes, until the signal is aborted. Rejects with the first error of the
 * broker or the handler.
 *
 * @param onCurrent called whenever the handler has taken all that there is
 */
export async function followPool(
  { poolStream }: EventNames,
  { connection, handler, calls, pulls }: PoolConsumerDependencies,
  signal: AbortSignal,
  onCurrent: () => void,
): Promise<void> {
  if ((await streamInfo(connection, poolStream)) === undefined) {
    throw await missingStream(connection, poolStream);
  }
  const consumer = await jetstream(connection).consumers.get(poolStream, {});
  await calls.run(() => handler.reset());
  pulls.take(poolStream);
  const messages = await consumer.consume({ max_messages: FETCHED, ...ABORTS });
  const isCurrent = (await consumer.info(true)).num_pending === 0;
  const takeOne = async (message: JsMsg): Promise<void> => {
    await calls.run(() => take(message, handler));
    if (message.info.pending === 0) onCurrent();
  };
  await takeMessages(messages, takeOne, {
    signal,
    maxWaiting: 2 * FETCHED,
    whyOver: async () => (await whyOver(consumer)) ?? pulls.take(poolStream),
    ...(isCurrent && { onSound: onCurrent }),
  });
}

async function take(message: JsMsg, handler: PoolHandler): Promise<void> {
  const type = message.headers?.get('Monero-Type') ?? '';
  const event = decodeEvent(message.data, type, readEncoding(message.headers));
  switch (event.type) {
    case 'pool.added':
      await handler.added(event.tx, event.received_at);
      break;
    case 'pool.removed':
      await handler.removed(event.id, event.reason);
      break;
    case 'counters':
      await handler.counters?.(event);
      break;
    default:
  }
}
