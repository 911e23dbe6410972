import { ask } from '../../testing/http.ts';
import { recordedServer, type RecordedServer } from '../../testing/recorded-server.ts';

const STOP = { path: '/stop_daemon', body: '{}' };
const BANS = { path: '/json_rpc', body: '{"method":"get_bans"}' };

describe('web pages', () => {
  let node: RecordedServer;
  beforeAll(async () => {
    node = await recordedServer({
      corsOrigins: ['http://good.example'],
      allowedHosts: ['node.example'],
    });
  });
  afterAll(() => node.stop());

  const status = async (
    call: { path: string; body: string },
    headers: Record<string, string>,
    port = node.port,
  ): Promise<number> => (await ask(port, { ...call, headers })).status;

  test.each([
    { Origin: 'http://evil.example', 'Content-Type': 'text/plain' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:3000', 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('cannot call what restricted ports hide: %j', async (headers) => {
    const stops = node.control.stops;
    expect(await status(STOP, headers)).toBe(403);
    expect(await status(BANS, headers)).toBe(403);
    expect(node.control.stops).toBe(stops);
    expect(await status({ path: '/get_height', body: '' }, headers)).toBe(200);
  });

  test.each([
    {},
    { Origin: 'http://good.example', 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'same-origin' },
  ])('clients that are no pages, and allowed origins, may call it: %j', async (headers) => {
    const stops = node.control.stops;
    expect(await status(STOP, headers)).toBe(200);
    expect(await status(BANS, headers)).toBe(200);
    expect(node.control.stops).toBe(stops + 1);
  });

  test.each(['evil.example', 'evil.example:18081', 'EVIL.example.', '127.0.0.1.nip.io:18081'])(
    'a name pointed at this machine is refused: %s',
    async (Host) => {
      const answer = await ask(node.port, { path: '/get_height', headers: { Host } });
      expect(answer.status).toBe(403);
      expect(answer.body.toString()).toContain('--rpc-allowed-hosts');
      // Restricted ports are served through proxies that pass the public name on.
      expect(await status({ path: '/get_height', body: '' }, { Host }, node.restrictedPort)).toBe(
        200,
      );
    },
  );

  test.each([
    '127.0.0.1:18081',
    '[::1]:18081',
    'localhost',
    'LocalHost:18081',
    'node.example:18081',
    'monerod:18081',
    'abcdefghijklmnop.onion:18081',
    'abcdefghijklmnop.b32.i2p',
  ])('honest clients come with %s', async (Host) => {
    expect(await status({ path: '/get_height', body: '' }, { Host })).toBe(200);
  });

  test('a body that is no JSON is answered as before', async () => {
    const headers = { Origin: 'http://evil.example' };
    expect(await status({ path: '/json_rpc', body: '{' }, headers)).toBe(200);
    expect(await status({ path: '/json_rpc', body: '{"method":1}' }, headers)).toBe(500);
  });
});

test('any origin may call everything when all are allowed', async () => {
  const node = await recordedServer({ corsOrigins: ['*'] });
  const headers = { Origin: 'http://any.example' };
  expect((await ask(node.port, { ...BANS, headers })).status).toBe(200);
  await node.stop();
});
