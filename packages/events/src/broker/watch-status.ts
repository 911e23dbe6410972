import type { NatsConnection, QueuedIterator, Status } from '@nats-io/transport-node';
import type { Trouble } from '../trouble.ts';
import type { RefusedPulls } from './refused-pulls.ts';

/** A status as the client library makes it: its type does not say that it can be ended while somebody waits for the next change. */
type Statuses = AsyncIterable<Status> & Partial<Pick<QueuedIterator<Status>, 'stop'>>;

/**
 * Calls a function with each change of a connection's status. Resolves when the signal is aborted or the connection is closed: a connection that
 * others go on with keeps nothing of this then.
 */
export async function watchStatus(
  connection: Pick<NatsConnection, 'status'>,
  signal: AbortSignal,
  onStatus: (status: Status) => void,
): Promise<void> {
  if (signal.aborted) return;
  const statuses: Statuses = connection.status();
  const stop = (): void => statuses.stop?.();
  signal.addEventListener('abort', stop);
  try {
    for await (const status of statuses) {
      if (signal.aborted) return;
      onStatus(status);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Who takes messages of a connection. */
export interface MessageTaker {
  readonly pulls: Pick<RefusedPulls, 'saw'>;
  readonly trouble: Pick<Trouble, 'failed' | 'worked'>;
  /** Called when the connection is back: the broker may have forgotten what it was asked. */
  readonly onReconnect: () => void;
}

/** Tells somebody who takes messages what becomes of the connection, for as long as `watchStatus` does. */
export function watchConnection(
  connection: Pick<NatsConnection, 'status'>,
  signal: AbortSignal,
  { pulls, trouble, onReconnect }: MessageTaker,
): Promise<void> {
  return watchStatus(connection, signal, (status) => {
    if (status.type === 'error') pulls.saw(status.error);
    if (status.type === 'disconnect' || status.type === 'reconnecting') {
      trouble.failed('connection', new Error('the connection to the broker is lost'));
    }
    if (status.type !== 'reconnect') return;
    trouble.worked('connection');
    onReconnect();
  });
}
