import { ClientUses } from '../client-uses.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

const NOW = 1_700_000_000;

let clients: ClientUses;
let node: RecordedServer;
beforeEach(async () => {
  clients = new ClientUses(() => NOW);
  // Calls come from other addresses, as through a trusted proxy.
  const trusted = { trustedProxies: ['127.0.0.1'] };
  node = await recordedServer(trusted, { clients, onCall: (call) => clients.add(call) });
});
afterEach(() => node.stop());

const ask = async (params: object = {}): Promise<Record<string, unknown>> =>
  ((await node.rpc('get_top_clients', params)) as { result: Record<string, unknown> }).result;

const from = (address: string): Promise<unknown> =>
  fetch(`http://127.0.0.1:${node.port}/get_height`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': address },
  }).then((answer) => answer.text());

test('clients behind a trusted proxy are counted by their own addresses', async () => {
  for (let i = 0; i < 3; i += 1) await from('192.0.2.7');
  await from('2001:db8::5');
  const { clients: rows, since } = await ask({ order: 'calls', count: 2 });
  expect(since).toBe(NOW);
  expect(rows).toMatchObject([
    { host: '192.0.2.7', calls: 3, bytes: expect.any(Number), time: expect.any(Number) },
    { host: '2001:db8:0:0::/64', calls: 1 },
  ]);
  const [{ bytes = 0, time = 0 } = {}] = rows as { bytes: number; time: number }[];
  expect(bytes).toBeGreaterThan(3 * 100);
  expect(time).toBeGreaterThan(0);
});

test('refuses other orders and too many', async () => {
  expect(await ask({ order: 'name' })).toMatchObject({ status: expect.stringContaining('time') });
  expect(await ask({ count: 1001 })).toMatchObject({ status: expect.stringContaining('1000') });
});

test('strangers may not ask, and a server that counts nothing does not serve it', async () => {
  const missing = { error: { code: -32601 } };
  expect(await node.rpc('get_top_clients', {}, true)).toMatchObject(missing);
  const other = await recordedServer();
  expect(await other.rpc('get_top_clients')).toMatchObject(missing);
  await other.stop();
});
