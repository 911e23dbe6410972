import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { silentLogger } from '@monero-node/base';
import { RpcOptionsError } from '../errors.ts';
import { RpcServer } from '../server.ts';
import { ask } from '../testing/http.ts';
import { exchange } from '../testing/raw-socket.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('HTTP layer', () => {
  let node: RecordedServer;
  beforeEach(async () => {
    node = await recordedServer({ corsOrigins: ['http://good.example'] });
  });
  afterEach(() => node.stop());

  test('what is no path gets the 404 of an unknown path, not the answer of a library', async () => {
    const undated = (head: string): string => head.replace(/Last-Modified: [^\r]+/, '');
    const unknown = (await exchange(node.port, get('/unknown'))).text;
    expect(unknown).toMatch(/^HTTP\/1\.1 404 Not found\r\nServer: Epee-based\r\n/);
    for (const target of ['rtsp://x', 'http://[', '*', '//a@b#', '//a@[#', '/health/live#']) {
      const { text } = await exchange(node.port, get(target));
      expect([target, undated(text)]).toEqual([target, undated(unknown)]);
    }
  });

  test('headers have the order of monerod, and keep-alive is kept', async () => {
    const { text, closed } = await exchange(node.port, get('/get_height'));
    expect(text).toMatch(
      /^HTTP\/1\.1 200 Ok\r\nServer: Epee-based\r\nContent-Length: 141\r\nContent-Type: application\/json\r\nLast-Modified: [^\r]+ GMT\r\nAccept-Ranges: bytes\r\n/,
    );
    expect(closed).toBe(false);
  });

  test('binary answers have two spaces before their type', async () => {
    const body = Buffer.from('0111010101010201010000'.slice(0, 20), 'hex');
    const head = `POST /get_blocks_by_height.bin HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { text } = await exchange(node.port, Buffer.concat([Buffer.from(head), body]));
    expect(text).toContain('Content-Type:  application/octet-stream\r\n');
  });

  test('HEAD returns the length without the body, OPTIONS nothing', async () => {
    const head = await exchange(node.port, 'HEAD /get_height HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(head.text).toContain('Content-Length: 141\r\n');
    expect(head.text.endsWith('\r\n\r\n')).toBe(true);
    const options = await exchange(node.port, 'OPTIONS /get_height HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(options.text).toMatch(
      /^HTTP\/1\.1 200 OK\r\nServer: Epee-based\r\nContent-Length: 0\r\nLast-Modified/,
    );
  });

  test.each([
    'PATCH /get_height HTTP/1.1\r\nHost: x\r\n\r\n',
    'garbage\r\n\r\n',
    'PROPFIND / HTTP/1.1\r\n\r\n',
  ])('closes without an answer: %j', async (request) => {
    expect(await exchange(node.port, request)).toEqual({ text: '', closed: true });
  });

  test('pipelined requests are answered in order', async () => {
    const { text } = await exchange(
      node.port,
      post('/get_height', '{}') + get('/nope') + post('/json_rpc', '{"method":"get_block_count"}'),
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    expect(text.indexOf('"hash"')).toBeLessThan(text.indexOf('"count"'));
  });

  test('a body of a little under 1 MiB is served, a larger one ends the connection', async () => {
    const padded = (size: number): string => post('/get_height', `{"a":"${'x'.repeat(size - 8)}"}`);
    expect((await exchange(node.port, padded(1_048_000))).text).toContain('200 Ok');
    expect(await exchange(node.port, padded(1_048_700))).toEqual({ text: '', closed: true });
  });

  test('a chunked body is bounded too', async () => {
    const chunk = `${(1 << 19).toString(16)}\r\n${'x'.repeat(1 << 19)}\r\n`;
    const head = 'POST /get_height HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await exchange(node.port, head + chunk + chunk + chunk + '0\r\n\r\n');
    expect(answer).toEqual({ text: '', closed: true });
  });

  test('a request cut off in its body affects no other', async () => {
    const socket = connect(node.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /get_height HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{');
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await ask(node.port, { path: '/get_height' })).status).toBe(200);
  });

  test('a content encoding is ignored', async () => {
    const answer = await ask(node.port, {
      path: '/get_height',
      body: '{}',
      headers: { 'Content-Encoding': 'gzip' },
    });
    expect(answer.status).toBe(200);
  });

  test('CORS headers only for allowed origins', async () => {
    const good = await ask(node.port, {
      path: '/get_height',
      headers: { Origin: 'http://good.example' },
    });
    expect(good.headers).toMatchObject({
      'access-control-allow-origin': 'http://good.example',
      'access-control-expose-headers': 'www-authenticate',
      'access-control-allow-methods': 'POST, PUT, GET, OPTIONS',
    });
    expect(good.headers['access-control-allow-headers']).toBeUndefined();
    const asked = await ask(node.port, {
      verb: 'OPTIONS',
      path: '/get_height',
      headers: { Origin: 'http://good.example' },
    });
    expect(asked.headers['access-control-allow-headers']).toBe(
      'Content-Type, Authorization, X-Requested-With',
    );
    const bad = await ask(node.port, {
      path: '/get_height',
      headers: { Origin: 'http://bad.example' },
    });
    expect(bad.status).toBe(200);
    expect(bad.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a handler that throws answers 500 on a path, an error without code in JSON-RPC', async () => {
    node.control.freeSpace = () => Promise.reject(new Error('no such volume'));
    const path = await exchange(node.port, post('/get_info', '{}'));
    expect(path.text).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
    expect(path.closed).toBe(true);
    expect(await node.rpc('get_info')).toEqual({
      id: 0,
      jsonrpc: '2.0',
      error: { code: 0, message: '' },
    });
  });

  test('addresses banned from the peer network are reset', async () => {
    node.p2p.ban('127.0.0.1', 100);
    expect(await exchange(node.port, get('/get_height'))).toEqual({ text: '', closed: true });
  });

  test('a ban of this machine is said once, and once again when it is banned anew', async () => {
    const lines: string[] = [];
    const logger = { ...silentLogger, warn: (line: string) => void lines.push(line) };
    const own = await recordedServer({}, { logger: { ...logger, child: () => logger } });
    const says =
      'RPC connections of 127.0.0.1 are refused: it is banned for 100 more seconds (a way to lift it)';
    const asked = () => exchange(own.port, get('/get_height'));
    for (const bans of [1, 2]) {
      own.p2p.ban('127.0.0.1', 100);
      for (let i = 0; i < 3; i++) expect(await asked()).toEqual({ text: '', closed: true });
      expect(lines).toEqual(Array(bans).fill(says));
      own.p2p.unban('127.0.0.1');
      expect((await asked()).text).toContain('200 Ok');
    }
    await own.stop();
  });

  test('the fourth failing block request bans the address', async () => {
    const ask4 = async (): Promise<void> => {
      const body = Buffer.from('01110101010102010104', 'hex');
      const storage = Buffer.concat([
        body,
        Buffer.from('\x0cstart_height\x05', 'latin1'),
        Buffer.alloc(8),
      ]);
      const answer = await ask(node.port, { path: '/get_hashes.bin', body: storage });
      expect(answer.body.toString('latin1')).toContain('Failed');
    };
    for (let i = 0; i < 3; i++) await ask4();
    expect(node.p2p.bans()).toEqual([]);
    await ask4();
    expect(node.p2p.bans()).toEqual([{ host: '127.0.0.1', ip: 0, seconds: 86_400 }]);
  });
});

describe('connection limits', () => {
  test('the 26th connection of a private address is closed; a new one is accepted when one closes', async () => {
    const node = await recordedServer();
    const open: Socket[] = [];
    for (let i = 0; i < 25; i++) {
      const socket = connect(node.port, '127.0.0.1');
      await once(socket, 'connect');
      open.push(socket);
    }
    expect(await exchange(node.port, get('/get_height'))).toEqual({ text: '', closed: true });
    open.pop()?.destroy();
    let text = '';
    // Until the node has seen that it is closed.
    while (text === '') ({ text } = await exchange(node.port, get('/get_height')));
    expect(text).toContain('200 Ok');
    for (const socket of open) socket.destroy();
    await node.stop();
  });
});

describe('options', () => {
  const make = (options: object): RpcServer =>
    new RpcServer({ bindPort: 0, ...options }, { blockchain: { treeRoots: {} } as never });

  test('an external address needs a confirmation, a restricted one does not', () => {
    expect(() => make({ bindIp: '0.0.0.0' })).toThrow(RpcOptionsError);
    expect(() => make({ bindIp: '::' })).toThrow('--confirm-external-bind');
    expect(() => make({ bindIp: '192.168.1.5' })).toThrow(RpcOptionsError);
    expect(() => make({ bindIp: '0.0.0.0', confirmExternalBind: true })).not.toThrow();
    expect(() => make({ bindIp: '127.3.2.1' })).not.toThrow();
    expect(() => make({ bindIp: '::1' })).not.toThrow();
    expect(() => make({ restrictedBindIp: '0.0.0.0', restrictedBindPort: 1 })).not.toThrow();
  });

  test('the limit over all connections is not below that of one address', () => {
    expect(() => make({ maxConnections: 10 })).toThrow('--rpc-max-connections');
    expect(() => make({ maxConnections: 25 })).not.toThrow();
  });

  test('a port in use fails the start and leaves nothing listening', async () => {
    const first = make({});
    await first.start();
    const taken = first.ports.main;
    const second = make({ restrictedBindPort: taken });
    await expect(second.start()).rejects.toThrow('EADDRINUSE');
    expect(second.ports).toEqual({ main: undefined, restricted: undefined });
    await first.stop();
  });

  test('stop closes idle connections at once', async () => {
    const node = await recordedServer();
    const socket = connect(node.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(get('/get_height'));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await node.stop();
    await closed;
  });

  test('restricted on the main listener', async () => {
    const node = await recordedServer({ restrictedRpc: true });
    expect((await node.path('/get_net_stats')).status).toBe(404);
    expect(await node.rpc('get_bans')).toMatchObject({ error: { code: -32601 } });
    await node.stop();
  });
});
