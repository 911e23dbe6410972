import { once } from 'node:events';
import { connect } from 'node:net';
import type { RpcOptions } from '../options.ts';
import { ask } from '../testing/http.ts';
import { exchange } from '../testing/raw-socket.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import type { FinishedCall } from '../finished-call.ts';

let node: RecordedServer;
let calls: FinishedCall[];
let isWanted: boolean;
const start = async (options: Partial<RpcOptions> = {}): Promise<void> => {
  calls = [];
  isWanted = true;
  node = await recordedServer(options, {
    onCall: (call) => calls.push(call),
    wantsCalls: () => isWanted,
  });
};
/** Returns what was observed, once `count` calls have ended. */
const seen = async (count: number): Promise<[method: string, status: string][]> => {
  while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
  return calls.map(({ method, status }) => [method, status]);
};

afterEach(() => node.stop());

test('every address of a method counts as that method', async () => {
  await start();
  await node.path('/get_info');
  await node.path('/getinfo');
  await node.rpc('get_info');
  await node.rpc('get_block_count');
  await node.rpc('getblockcount', undefined, true);
  await ask(node.port, { path: '/get_hashes.bin' });
  expect(await seen(6)).toEqual([
    ...[...Array<[string, string]>(3).fill(['get_info', '200'])],
    ...[...Array<[string, string]>(2).fill(['get_block_count', '200'])],
    ['get_hashes.bin', '400'],
  ]);
});

test('calls that begin while nobody wants them are left out', async () => {
  await start();
  await node.path('/get_info');
  isWanted = false;
  await node.path('/get_height');
  isWanted = true;
  await node.rpc('get_version');
  await node.rpc('get_block_count');
  expect((await seen(3)).map(([method]) => method)).toEqual([
    'get_info',
    'get_version',
    'get_block_count',
  ]);
});

test('an answer that the cache kept counts too', async () => {
  await start();
  const height = { height: 1 };
  const answers = [
    await node.rpc('get_block_header_by_height', height),
    await node.rpc('get_block_header_by_height', height),
  ];
  expect(answers[0]).toEqual(answers[1]);
  expect(await seen(2)).toEqual(Array<unknown>(2).fill(['get_block_header_by_height', '200']));
});

test('answers that say why a call failed are errors', async () => {
  await start();
  await node.rpc('get_block_header_by_height', { height: 1e9 });
  await node.path('/send_raw_transaction', { tx_as_hex: 'x' });
  await node.rpc('rpc_access_pay');
  expect((await seen(3)).map(([, status]) => status)).toEqual(['error', 'error', 'error']);
});

test('names that no method has are one label', async () => {
  await start({ login: { username: 'user', password: 'secret' } });
  await ask(node.port, { path: '/json_rpc', body: '{"method":"get_info"}' });
  await ask(node.port, { path: '/get_info' });
  await ask(node.port, { path: '/x' });
  await ask(node.port, { verb: 'GET', path: '/health/live' });
  expect(await seen(4)).toEqual([
    ['unknown', '401'],
    ['get_info', '401'],
    ['unknown', '401'],
    ['health', '200'],
  ]);
  await node.stop();
  await start();
  await node.rpc('no such method');
  await ask(node.port, { path: '/json_rpc', body: '{"method":1}' });
  await ask(node.port, { path: '/x' });
  expect(await seen(3)).toEqual([
    ['unknown', 'error'],
    ['unknown', '500'],
    ['unknown', '404'],
  ]);
});

test('a call is measured', async () => {
  await start();
  const { text } = await exchange(node.port, 'GET /get_height HTTP/1.1\r\nHost: x\r\n\r\n');
  await seen(1);
  expect(calls[0]?.bytes).toBe(text.length);
  const { seconds = 0, secondsToAnswer = 0 } = calls[0] ?? {};
  expect(secondsToAnswer).toBeGreaterThan(0);
  expect(seconds).toBeGreaterThanOrEqual(secondsToAnswer);
  expect(seconds).toBeLessThan(60);
});

test('bytes are counted for each answer of a connection, and of a long one', async () => {
  await start();
  const request = 'GET /get_height HTTP/1.1\r\nHost: x\r\n\r\n';
  const { text } = await exchange(node.port, request + request);
  await seen(2);
  expect(calls.map(({ bytes }) => bytes)).toEqual([text.length / 2, text.length / 2]);
  const amounts = Array.from({ length: 20_000 }, (_, i) => i);
  const long = await node.rpc('get_output_histogram', { amounts, min_count: 0, max_count: 0 });
  await seen(3);
  expect(calls[2]?.bytes).toBeGreaterThan(1 << 20);
  expect(calls[2]?.bytes).toBeGreaterThan(JSON.stringify(long).length);
});

test('a client that leaves early has an aborted call', async () => {
  await start();
  const socket = connect(node.port, '127.0.0.1');
  await once(socket, 'connect');
  const head =
    'POST /get_height HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 500';
  socket.write(`${head}\r\n\r\n{`);
  // The node says that it goes on when it begins with the call.
  await once(socket, 'data');
  socket.destroy();
  expect(await seen(1)).toEqual([['get_height', 'aborted']]);
  expect(calls[0]).toMatchObject({ request: '/get_height', isSent: false, bytes: 0 });
});

test('the client and its request are named', async () => {
  await start();
  await node.path('/get_height');
  const body = '{"method":"get_block_header_by_height","params":{"height":1}}';
  // The second answer is one that was kept.
  for (let i = 0; i < 2; i++) await ask(node.port, { path: '/json_rpc', body });
  await ask(node.restrictedPort, { path: '/stop_mining' });
  await seen(4);
  expect(calls.map(({ address, request, isSent }) => [address, request, isSent])).toEqual(
    [
      '/get_height',
      ...Array<string>(2).fill('/json_rpc get_block_header_by_height'),
      '/stop_mining',
    ].map((request) => ['127.0.0.1', request, true]),
  );
});

test('names that clients made up are short, and hold nothing that moves a cursor', async () => {
  await start();
  await node.rpc(`\u001b[2J\n${'x'.repeat(1000)}`);
  await seen(1);
  expect(calls[0]?.request).toMatch(/^\/json_rpc \?\[2J\?x+$/);
  expect(calls[0]?.request).toHaveLength(80);
});

test('calls that pass no port are reported too', async () => {
  await start();
  const { local } = node.server;
  const post = (path: string, body: string): Promise<Uint8Array> =>
    local.post(path, 'application/json', Buffer.from(body));
  const answer = await post('/get_height', '');
  await post('/json_rpc', '{"method":"no such method"}');
  await expect(post('/get_transactions', '[')).rejects.toThrow('400');
  const origin = { interface: 'local', address: undefined, isSent: true };
  expect(calls).toMatchObject([
    {
      ...origin,
      request: '/get_height',
      method: 'get_height',
      status: '200',
      bytes: answer.length,
    },
    { ...origin, request: '/json_rpc no such method', method: 'unknown', status: 'error' },
    {
      ...origin,
      request: '/get_transactions',
      method: 'get_transactions',
      status: '400',
      bytes: 0,
    },
  ]);
});
