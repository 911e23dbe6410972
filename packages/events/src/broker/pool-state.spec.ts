import type { JetStreamClient } from '@nats-io/jetstream';
import { jest } from '@jest/globals';
import { readPoolState } from './pool-state.ts';
import { RefusedPulls } from './refused-pulls.ts';

const names = { chainStream: 'C', poolStream: 'P', poolSubjects: 'p.*' };

/** A broker that says that a message waits, and sends none: the stream was emptied meanwhile. */
function emptiedBroker(): JetStreamClient {
  let close!: () => void;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const messages = {
    close: () => Promise.resolve(close()),
    getPending: () => 0,
    async *[Symbol.asyncIterator]() {
      await closed;
      yield* [];
    },
  };
  const consumer = {
    info: () => Promise.resolve({ num_pending: 1 }),
    consume: () => Promise.resolve(messages),
  };
  return { consumers: { get: () => Promise.resolve(consumer) } } as unknown as JetStreamClient;
}

test('messages that stay away are not waited for without end', async () => {
  jest.useFakeTimers();
  try {
    const source = { jetstream: emptiedBroker(), names, pulls: new RefusedPulls(names) };
    const read = readPoolState(source, new AbortController().signal);
    const refused = expect(read).rejects.toThrow('sends no more messages of the stream P');
    await jest.advanceTimersByTimeAsync(12_000);
    await refused;
  } finally {
    jest.useRealTimers();
  }
});
