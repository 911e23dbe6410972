import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RpcClient } from './client.ts';
import { RpcAnswerError, RpcConnectionError, RpcError, RpcLoginError } from './errors.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { createNodeTransport } from './node/index.ts';
import type { HttpOptions, RpcTransport } from './transport.ts';

const clients: RpcClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

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

  test('a connection that breaks', async () => {
    respond = (request) => request.socket.destroy();
    await expect(clientOf(port).path('/get_info')).rejects.toThrow(RpcConnectionError);
    await expect(clientOf(1).path('/get_info')).rejects.toThrow(RpcError);
  });

  test('a challenge that never ends', async () => {
    respond = (_request, response) => {
      const challenge = 'Digest qop="auth",algorithm=MD5,realm="x",nonce="bm9uY2U=",stale=true';
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    };
    const client = clientOf(port, { login: { username: 'a', password: 'b' } });
    await expect(client.path('/get_info')).rejects.toThrow(RpcLoginError);
  });

  test('malformed addresses', () => {
    expect(() => new RpcClient({ url: 'nonsense' })).toThrow('Invalid URL');
    expect(() => new RpcClient({ url: 'ftp://127.0.0.1' })).toThrow('neither http nor https');
  });
});
