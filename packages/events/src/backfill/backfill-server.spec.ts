import { silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { defaultNaming, eventNames } from '../broker/names.ts';
import { BackfillServer, type BackfillServerDependencies } from './backfill-server.ts';

test('a subscription is confirmed though the connection was lost before the server had answered', async () => {
  let flushes = 0;
  const connection = {
    isClosed: () => false,
    subscribe: () => ({ unsubscribe: () => undefined }),
    flush: () => (++flushes < 3 ? Promise.reject(new Error('disconnected')) : Promise.resolve()),
  } as unknown as NatsConnection;
  let worked = 0;
  const report = { failed: () => undefined, worked: () => void worked++ };
  const dependencies = { chain: {}, logger: silentLogger, report };
  const server = new BackfillServer(
    { encoding: 'json', pageBytes: () => 1000 },
    dependencies as unknown as BackfillServerDependencies,
  );
  server.start(connection, eventNames(defaultNaming('regtest')));
  await until(() => worked > 0, 10_000);
  await server.stop();
  expect([flushes, worked]).toEqual([3, 1]);
});
