import { FakeNatsServer, greet, SERVER_INFO } from '../testing/fake-nats-server.ts';
import { connectEvents } from './connect.ts';
import { watchStatus } from './watch-status.ts';

let server: FakeNatsServer;
beforeEach(async () => (server = await FakeNatsServer.open(greet(SERVER_INFO))));
afterEach(() => server.close());

test('changes of a connection are told until somebody stops, who waits for none', async () => {
  const connection = await connectEvents({ servers: server.url });
  const [first, second] = [new AbortController(), new AbortController()];
  const told: string[] = [];
  const watched = watchStatus(connection, first.signal, ({ type }) => void told.push(`1 ${type}`));
  const others = watchStatus(connection, second.signal, ({ type }) => void told.push(`2 ${type}`));
  first.abort();
  await watched;
  await connection.close();
  await others;
  expect(told).toEqual(['2 close']);
});

test('nothing is asked for on behalf of somebody who has stopped', async () => {
  const status = (): never => {
    throw new Error('asked for');
  };
  await watchStatus({ status }, AbortSignal.abort(), () => undefined);
});
