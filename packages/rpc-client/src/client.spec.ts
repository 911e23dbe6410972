import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@monero-node/base/testing';
import { RpcClient } from './client.ts';
import { RpcAnswerError, RpcConnectionError, RpcError, RpcLoginError } from './errors.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { createNodeTransport } from './node/index.ts';
import type { HttpOptions, RpcTransport } from './transport.ts';

const clients: RpcClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const TRANSPORTS: [name: string, connect: (options: HttpOptions) => RpcTransport][] = [
  ['fetch', createFetchTransport],
  ['node:http', createNodeTransport],
];

describe.each(TRANSPORTS)('a client over %s of a bad server', (_name, connect) => {
  const clientOf = (port: number, options: Partial<HttpOptions> = {}): RpcClient => {
    const client = new RpcClient({
      transport: connect({ url: `http://127.0.0.1:${port}`, ...options }),
    });
    clients.push(client);
    return client;
  };
  let server: Server;
  let port: number;
  let respond: (request: IncomingMessage, response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => respond(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const answer = (text: string) => {
    respond = (_request, response) => response.end(text);
  };

  test.each([
    '<html>',
    '[]',
    '{"jsonrpc":"2.0","id":0}',
    '{"jsonrpc":"2.0","id":0,"result":5}',
    '{"jsonrpc":"2.0","id":0,"result":{"height":"x"}}',
    '{"jsonrpc":"2.0","id":0,"result":{"top_block_hash":"xy"}}',
    '{"jsonrpc":"2.0","id":0,"result":{"top_block_hash":5}}',
  ])('%s is no answer', async (text) => {
    answer(text);
    await expect(clientOf(port).rpc('get_info')).rejects.toThrow(RpcAnswerError);
  });

  test('a malformed binary answer', async () => {
    answer('{}');
    await expect(clientOf(port).binary('/get_blocks.bin')).rejects.toThrow(RpcAnswerError);
  });

  test('servers of other versions send less and more', async () => {
    answer('{"jsonrpc":"2.0","id":0,"result":{"height":7,"novel":{"a":1},"status":"OK"}}');
    const info = await clientOf(port).rpc('get_info');
    expect(info).toMatchObject({ height: 7n, difficulty: 0n, mainnet: false, version: '' });
    expect(info).not.toHaveProperty('novel');
    answer('{"jsonrpc":"2.0","id":0,"result":{"status":"OK"}}');
    const { block_header: header } = await clientOf(port).rpc('get_last_block_header');
    expect(header).toMatchObject({ height: 0n, hash: new Uint8Array(0) });
  });

  test('an error without code or message', async () => {
    answer('{"jsonrpc":"2.0","id":0,"error":{}}');
    await expect(clientOf(port).rpc('get_info')).rejects.toMatchObject({ code: 0, message: '' });
  });

  test('an answer that is too large', async () => {
    answer('x'.repeat(2000));
    const call = clientOf(port, { maxAnswer: 1000 }).path('/get_info');
    await expect(call).rejects.toThrow(RpcConnectionError);
    await expect(call).rejects.toThrow('more than 1000 bytes');
  });

  test('no answer in time, and the next call is served', async () => {
    respond = () => undefined;
    const client = clientOf(port, { timeout: 1000 });
    await expect(client.path('/get_info')).rejects.toThrow('no answer in time');
    answer('{"height":5,"status":"OK"}');
    expect((await client.path('/get_info')).height).toBe(5n);
  });

  test('a connection that breaks, and one that is not made', async () => {
    respond = (request) => request.socket.destroy();
    const broken = clientOf(port).path('/get_info');
    await expect(broken).rejects.toThrow(RpcConnectionError);
    await expect(broken).rejects.toMatchObject({ code: 'closed', cause: expect.any(Error) });
    const refused = clientOf(await freePort()).path('/get_info');
    await expect(refused).rejects.toThrow(RpcError);
    await expect(refused).rejects.toMatchObject({ code: 'refused', cause: expect.any(Error) });
  });

  test('every failure has a code', async () => {
    answer('x'.repeat(2000));
    const tooLarge = clientOf(port, { maxAnswer: 1000 }).path('/get_info');
    await expect(tooLarge).rejects.toMatchObject({ code: 'too-large' });
    await expect(clientOf(port).path('/get_info')).rejects.toMatchObject({ code: 'bad-answer' });
    answer('{"status":"BUSY"}');
    await expect(clientOf(port).path('/get_info')).rejects.toMatchObject({ code: 'status' });
    respond = (_request, response) => response.writeHead(404).end();
    await expect(clientOf(port).path('/get_info')).rejects.toMatchObject({ code: 'http-status' });
    respond = () => undefined;
    const client = clientOf(port);
    const closed = client.path('/get_info');
    setTimeout(() => client.close(), 50);
    await expect(closed).rejects.toMatchObject({ code: 'closed' });
  });

  test('a client that is disposed of is closed', async () => {
    respond = () => undefined;
    const client = clientOf(port);
    const call = client.path('/get_info');
    setImmediate(() => client[Symbol.dispose]());
    await expect(call).rejects.toMatchObject({ code: 'closed' });
  });

  /** Calls that the server has and does not answer. */
  const silence = (): ServerResponse[] => {
    const held: ServerResponse[] = [];
    respond = (_request, response) => void held.push(response);
    return held;
  };
  const heldBy = (held: readonly unknown[], count: number): Promise<void> =>
    until(() => held.length >= count);

  test('calls run at the same time, and each ends at its own time-out', async () => {
    const held = silence();
    const client = clientOf(port);
    const ended: number[] = [];
    const calls = [900, 300, 600].map((timeout) =>
      client.path('/get_info', {}, { timeout }).catch((error: unknown) => {
        ended.push(timeout);
        throw error;
      }),
    );
    const outcomes = Promise.allSettled(calls);
    await heldBy(held, 3);
    expect(ended).toEqual([]);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } });
    }
    expect(ended).toEqual([300, 600, 900]);
  });

  test('closing ends the calls that are sent and those that wait; later ones are served', async () => {
    const held = silence();
    const client = clientOf(port, { concurrency: 2 });
    const outcomes = Promise.allSettled(
      Array.from({ length: 5 }, () => client.path('/get_info', {}, { timeout: 3000 })),
    );
    await heldBy(held, 2);
    client.close();
    answer('{"height":5,"status":"OK"}');
    expect((await client.path('/get_info')).height).toBe(5n);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'closed' } });
    }
    expect(held).toHaveLength(2);
  });

  test('no more calls than the bound are sent, and waiting ones end in time too', async () => {
    const held = silence();
    const client = clientOf(port, { concurrency: 2 });
    // Those that wait end first: else one of them has its turn in the moment between two timers.
    const calls = [900, 900, 300, 300, 300].map((timeout) =>
      client.path('/get_info', {}, { timeout }),
    );
    const outcomes = await Promise.allSettled(calls);
    const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason);
    expect(reasons).toEqual(
      Array.from({ length: 5 }, () => expect.objectContaining({ code: 'timeout' })),
    );
    expect(held).toHaveLength(2);
    answer('{"height":5,"status":"OK"}');
    expect((await client.path('/get_info')).height).toBe(5n);
  });

  test('a signal ends its call and no other', async () => {
    const held = silence();
    const client = clientOf(port);
    const stop = new AbortController();
    const reason = new Error('enough');
    const stopped = client.rpc('get_info', {}, { signal: stop.signal });
    const other = client.path('/get_info');
    await heldBy(held, 2);
    stop.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    for (const response of held) response.end('{"height":7,"status":"OK"}');
    expect((await other).height).toBe(7n);
    const late = client.path('/get_info', {}, { signal: stop.signal });
    await expect(late).rejects.toBe(reason);
    expect(held).toHaveLength(2);
  });

  test('options of calls and of transports are checked', async () => {
    const client = clientOf(port);
    const call = (options: object) => client.path('/get_info', {}, options);
    await expect(call({ timeoutMs: 5 })).rejects.toThrow(
      'no option "timeoutMs"; there are signal, timeout',
    );
    await expect(call({ timeout: 0 })).rejects.toThrow(RangeError);
    await expect(call({ timeout: 2 ** 31 })).rejects.toThrow(RangeError);
    const url = 'http://127.0.0.1';
    for (const wrong of [{ timeout: -1 }, { concurrency: 0 }, { concurrency: 1.5 }]) {
      expect(() => connect({ url, ...wrong })).toThrow(RangeError);
    }
    const options = { url, maxAnswers: 5 } as HttpOptions;
    expect(() => connect(options)).toThrow('no option "maxAnswers"; there are url, login,');
    const login = { user: 'me', password: '' } as unknown as HttpOptions['login'];
    expect(() => connect({ url, login })).toThrow('no option "user" in login');
  });

  test('a challenge that never ends', async () => {
    respond = (_request, response) => {
      const challenge = 'Digest qop="auth",algorithm=MD5,realm="x",nonce="bm9uY2U=",stale=true';
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    };
    const client = clientOf(port, { login: { username: 'a', password: 'b' } });
    await expect(client.path('/get_info')).rejects.toThrow(RpcLoginError);
  });

  test('a client is given an address or a transport', () => {
    const make = (options: object) => () => new RpcClient(options as HttpOptions);
    expect(make({})).toThrow('RpcClient: url is missing');
    expect(make({ url: 'http://127.0.0.1', timeoutMs: 5 })).toThrow(
      'RpcClient: no option "timeoutMs"',
    );
    const transport = connect({ url: 'http://127.0.0.1' });
    expect(make({ transport, timeout: 5 })).toThrow('RpcClient: no option "timeout"');
  });

  test('malformed addresses', () => {
    expect(() => new RpcClient({ url: 'nonsense' })).toThrow('Invalid URL');
    expect(() => new RpcClient({ url: 'ftp://127.0.0.1' })).toThrow('neither http nor https');
  });
});

test.each([
  [
    'switches to another protocol',
    'HTTP/1.1 101\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    { code: 'closed' },
  ],
  ['says 103 without an end', 'HTTP/1.1 103 x\r\n\r\n'.repeat(17), { code: 'failed' }],
])('over node:http a server that %s is left', async (_what, text, error) => {
  const server = createServer(({ socket }) => socket.write(text));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const transport = createNodeTransport({ url: `http://127.0.0.1:${port}`, timeout: 2000 });
  const client = new RpcClient({ transport });
  clients.push(client);
  await expect(client.path('/get_info')).rejects.toMatchObject(error);
  server.closeAllConnections();
  server.close();
});

test('a transport that knows no signals is not waited for', async () => {
  const transport: RpcTransport = {
    post: () => new Promise(() => undefined),
    close: () => undefined,
  };
  const client = new RpcClient({ transport });
  const late = client.path('/get_info', {}, { timeout: 50 });
  await expect(late).rejects.toMatchObject({ name: 'RpcConnectionError', code: 'timeout' });
  const { signal } = new AbortController();
  const call = client.path('/get_info', {}, { signal, timeout: 50 });
  await expect(call).rejects.toMatchObject({ message: '/get_info: no answer in time' });
});
