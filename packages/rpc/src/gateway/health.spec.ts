import { ask } from '../testing/http.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

let node: RecordedServer;
const probe = (path: string, verb = 'GET', port = node.port) => ask(port, { verb, path });

beforeEach(async () => {
  node = await recordedServer({ login: { username: 'user', password: 'secret' } });
});
afterEach(() => node.stop());

test('a live node says so on both ports, without a login', async () => {
  for (const port of [node.port, node.restrictedPort]) {
    const { status, type, headers, body } = await probe('/health/live', 'GET', port);
    expect([status, type, body.toString()]).toEqual([
      ...[200, 'application/json', '{"status":"live"}\n'],
    ]);
    expect(headers['cache-control']).toBe('no-store');
  }
  expect((await probe('/get_height')).status).toBe(401);
});

test('HEAD has the status and the length without the body', async () => {
  const { status, headers, body } = await probe('/health/ready', 'HEAD');
  expect([status, headers['content-length'], body.length]).toEqual([200, '19', 0]);
});

test('a node is ready when it is synchronized', async () => {
  expect((await probe('/health/ready')).body.toString()).toBe('{"status":"ready"}\n');
  node.p2p.synchronized = false;
  const { status, phrase, headers, body } = await probe('/health/ready');
  expect([status, phrase, headers['cache-control']]).toEqual([
    ...[503, 'Service Unavailable', 'no-store'],
  ]);
  expect(JSON.parse(body.toString())).toEqual({
    status: 'not ready',
    reasons: ['synchronizing'],
  });
  expect((await probe('/health/live')).status).toBe(200);
});

test('the owner of the server decides what ready means', async () => {
  let reasons: string[] = ['no_peers', 'store_failed'];
  node.control.notReady = () => reasons;
  expect(JSON.parse((await probe('/health/ready')).body.toString())).toMatchObject({ reasons });
  reasons = [];
  expect((await probe('/health/ready')).status).toBe(200);
});

test('figures are shown, and those about the machine to its owner only', async () => {
  node.control.healthFigures = () => ({
    height: 100,
    topId: 'ab'.repeat(32),
    cumulativeDifficulty: '0x3e8',
    targetHeight: 103,
    lag: 3,
    tipAge: 60,
    peers: 8,
    fleetPeers: 2,
    freeSpace: 5_000,
    instanceId: 'ab12',
  });
  const chain = {
    height: 100,
    top_hash: 'ab'.repeat(32),
    wide_cumulative_difficulty: '0x3e8',
    target_height: 103,
    lag_blocks: 3,
    tip_age_seconds: 60,
    instance_id: 'ab12',
  };
  const shown = async (port: number): Promise<unknown> =>
    JSON.parse((await probe('/health/ready', 'GET', port)).body.toString());
  expect(await shown(node.port)).toEqual({
    status: 'ready',
    ...chain,
    peers: 8,
    fleet_peers: 2,
    free_disk_bytes: 5_000,
  });
  expect(await shown(node.restrictedPort)).toEqual({ status: 'ready', ...chain });
  node.p2p.synchronized = false;
  expect(await shown(node.restrictedPort)).toEqual({
    status: 'not ready',
    reasons: ['synchronizing'],
    ...chain,
  });
});

test('a page that has pointed its name at this machine learns nothing, whatever it asks for', async () => {
  const headers = { Host: 'evil.example:18081' };
  const asked: [verb: string, path: string][] = [
    ...[...['/health/live', '/health/ready', '/openapi.json', '/docs', '/', '/events', '/metrics']]
      .concat('/favicon.ico', '/get_info', '/nowhere', '/json_rpc')
      .flatMap((path): [string, string][] => [
        ['GET', path],
        ['HEAD', path],
        ['OPTIONS', path],
        ['POST', path],
      ]),
  ];
  for (const login of [undefined, { username: 'user', password: 'secret' }]) {
    const guarded = await recordedServer(login && { login });
    for (const [verb, path] of asked) {
      const { status, body } = await ask(guarded.port, { verb, path, headers });
      expect([verb, path, status]).toEqual([verb, path, 403]);
      expect(body.toString()).toMatch(verb === 'HEAD' ? /^$/ : /^The name in the Host header/);
    }
    await guarded.stop();
  }
});

test('on a port that lets every name in, the figures about the machine are not for foreign names', async () => {
  const open = await recordedServer({
    bindIp: '0.0.0.0',
    confirmExternalBind: true,
    allowedHosts: ['node.example'],
  });
  open.control.healthFigures = () => ({
    height: 100,
    topId: 'ab'.repeat(32),
    cumulativeDifficulty: '0x3e8',
    targetHeight: 103,
    lag: 3,
    tipAge: 60,
    peers: 8,
    fleetPeers: 2,
    freeSpace: 5_000,
    instanceId: undefined,
  });
  const shown = async (host: string): Promise<unknown> => {
    const options = { verb: 'GET', path: '/health/ready', headers: { Host: host } };
    return JSON.parse((await ask(open.port, options)).body.toString());
  };
  for (const host of ['10.0.0.1', 'localhost', 'node.example'])
    expect(await shown(host)).toMatchObject({ peers: 8, free_disk_bytes: 5_000 });
  const foreign = await shown('evil.example');
  expect(foreign).toMatchObject({ status: 'ready', height: 100 });
  expect(foreign).not.toHaveProperty('instance_id');
  expect(foreign).not.toHaveProperty('peers');
  expect(foreign).not.toHaveProperty('free_disk_bytes');
  await open.stop();
});

test('other verbs and paths are answered as before', async () => {
  const open = await recordedServer();
  const status = async (verb: string, path: string) =>
    (await ask(open.port, { verb, path })).status;
  for (const verb of ['POST', 'PUT', 'DELETE'])
    expect(await status(verb, '/health/live')).toBe(404);
  for (const path of ['/health', '/health/', '/health/live/', '/health/ready?x=1'])
    expect(await status('GET', path)).toBe(404);
  expect(await status('OPTIONS', '/health/live')).toBe(200);
  await open.stop();
});

test('other nodes of a fleet get what the node tells them, on both ports, without a login', async () => {
  expect((await probe('/health/fleet')).status).toBe(404);
  node.control.fleetAnswer = () => '{"statements":[]}';
  for (const port of [node.port, node.restrictedPort]) {
    const { status, type, headers, body } = await probe('/health/fleet', 'GET', port);
    expect([status, type, body.toString()]).toEqual([
      ...[200, 'application/json', '{"statements":[]}\n'],
    ]);
    expect(headers['cache-control']).toBe('no-store');
  }
  const { headers, body } = await probe('/health/fleet', 'HEAD');
  expect([headers['content-length'], body.length]).toEqual(['18', 0]);
});
