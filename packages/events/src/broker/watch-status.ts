import type { NatsConnection, QueuedIterator, Status } from '@nats-io/transport-node';

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
