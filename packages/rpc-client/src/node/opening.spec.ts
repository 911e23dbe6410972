import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { until } from '@monero-node/base/testing';
import { RpcClient } from '../client.ts';
import { createNodeTransport, openSocket, type Dial, type NodeTransportOptions } from './index.ts';

/** A port that accepts connections and says nothing, so that no TLS handshake ends. */
async function silentPort() {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.resume());
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { sockets, port: (server.address() as AddressInfo).port };
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A dial that ends when the test says so. */
function hangingDial() {
  const open: ((socket: Socket) => void)[] = [];
  const dial: Dial = () => new Promise((resolve) => open.push(resolve));
  return { open, dial };
}

function clientOf(options: NodeTransportOptions): RpcClient {
  const client = new RpcClient({ transport: createNodeTransport(options) });
  closers.push(() => client.close());
  return client;
}

describe('a call that is ended while its connection is opened', () => {
  test('leaves its turn and its socket, where TLS never begins', async () => {
    const { sockets, port } = await silentPort();
    const client = clientOf({ url: `https://127.0.0.1:${port}`, concurrency: 2 });
    const stop = new AbortController();
    const reason = new Error('enough');
    const call = { signal: stop.signal };
    const calls = [1, 2].map(() => client.path('/get_info', {}, call));
    const outcomes = Promise.allSettled(calls);
    await until(() => sockets.size === 2);
    stop.abort(reason);
    expect(await outcomes).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
    await until(() => sockets.size === 0);
    const next = client.path('/get_info', {}, { timeout: 5000 });
    const failed = expect(next).rejects.toMatchObject({ code: 'closed' });
    await until(() => sockets.size === 1);
    for (const socket of sockets) socket.destroy();
    await failed;
  });

  test('fails when its client is closed', async () => {
    const { sockets, port } = await silentPort();
    const client = clientOf({ url: `https://127.0.0.1:${port}` });
    const call = client.path('/get_info', {}, { timeout: 5000 });
    const failed = expect(call).rejects.toMatchObject({
      name: 'RpcConnectionError',
      code: 'closed',
    });
    await until(() => sockets.size === 1);
    client.close();
    await failed;
    await until(() => sockets.size === 0);
  });

  test('leaves its turn where a dial hangs, and the connection is closed that it makes later', async () => {
    const { open, dial } = hangingDial();
    const client = clientOf({ url: 'http://127.0.0.1:1', concurrency: 1, dial });
    const call = client.path('/get_info', {}, { timeout: 50 });
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
    const next = client.path('/get_info', {}, { timeout: 500 });
    const failed = expect(next).rejects.toMatchObject({ code: 'timeout' });
    await until(() => open.length === 2);
    await failed;
    const late = new Socket();
    open[0]?.(late);
    await until(() => late.destroyed);
  });
});

test('as many connections are made as there are calls at a time, and kept', async () => {
  const sockets = new Set<Socket>();
  const server = createHttpServer((_request, response) => {
    setTimeout(() => response.end('{"height":5,"status":"OK"}'), 1);
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = clientOf({ url, concurrency: 2 });
  await Promise.all(Array.from({ length: 50 }, () => client.path('/get_info')));
  for (let i = 0; i < 10; i++) await client.path('/get_info');
  expect(sockets.size).toBe(2);
});

describe('openSocket', () => {
  const endpoint = { host: '127.0.0.1', port: 1, isSecure: false, tls: undefined, dial: undefined };

  test('opens nothing for a signal that is aborted', async () => {
    const reason = new Error('enough');
    const { open, dial } = hangingDial();
    const opening = openSocket({ ...endpoint, dial }, AbortSignal.abort(reason));
    await expect(opening).rejects.toBe(reason);
    expect(open).toEqual([]);
  });

  test('does not try plain text after TLS when its signal ended that', async () => {
    const { sockets, port } = await silentPort();
    const stop = new AbortController();
    const reason = new Error('enough');
    const tls = { autodetect: true };
    const opening = openSocket({ ...endpoint, port, tls }, stop.signal);
    const failed = expect(opening).rejects.toBe(reason);
    await until(() => sockets.size === 1);
    stop.abort(reason);
    await failed;
    await until(() => sockets.size === 0);
  });
});
