import { connectEvents, EventStream } from './index.ts';

test('options that there are not are refused', async () => {
  const options = { servers: 'nats://127.0.0.1:1', creds: '/dev/null' } as never;
  await expect(connectEvents(options)).rejects.toThrow(
    'connectEvents: no option "creds"; there are servers, credentialsFile,',
  );
  const stream = { prefix: 'monero', stream: 'MONERO', first: 5 } as never;
  expect(() => new EventStream(stream, {} as never)).toThrow(
    'EventStream: no option "first"; there are prefix, stream, from',
  );
});
