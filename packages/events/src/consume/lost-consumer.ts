import type { Consumer } from '@nats-io/jetstream';
import { hasCode } from '../broker/streams.ts';

const NO_CONSUMER = 10014;
const NO_STREAM = 10059;

/** Has the client library end the messages of a consumer that is gone, where it learns of it. */
export const ABORTS = { abort_on_missing_resource: true } as const;

/**
 * Asks a server for a consumer; resolves to the reason when it is gone, with its stream or without. The client library asks
 * only after heartbeats have been missing for half a minute, and then waits for as long as the stream is gone.
 */
export async function whyOver(consumer: Pick<Consumer, 'info'>): Promise<Error | undefined> {
  try {
    await consumer.info();
  } catch (error) {
    if (hasCode(error, NO_STREAM)) return new Error('the stream is gone');
    if (hasCode(error, NO_CONSUMER))
      return new Error('the stream was made anew, or the consumer removed');
  }
  return undefined;
}
