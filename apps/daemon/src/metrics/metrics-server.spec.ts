import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { silentLogger } from '@monero-node/base';
import { MetricsServer } from './metrics-server.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(port: number, path: string, options: object = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { port, path, host: '127.0.0.1', agent: false, ...options },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => (body += text));
        response.on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, body });
        });
      },
    );
    call.on('error', reject);
    call.end();
  });
}

let server: MetricsServer;
let port: number;
let scrape: () => Promise<string>;
const make = (bindIp: string, bindPort: number) =>
  new MetricsServer(
    { bindIp, bindPort },
    { scraper: { contentType: 'text/x', scrape: () => scrape() }, logger: silentLogger },
  );

beforeEach(async () => {
  scrape = () => Promise.resolve('x 1\n');
  server = make('127.0.0.1', 0);
  port = await server.start();
});
afterEach(() => server.stop());

test('GET returns the metrics and HEAD only their length', async () => {
  const { status, headers, body } = await ask(port, '/metrics');
  expect([status, headers['content-type'], headers['cache-control'], body]).toEqual([
    ...[200, 'text/x', 'no-store', 'x 1\n'],
  ]);
  expect((await ask(port, '/metrics?name[]=x')).status).toBe(200);
  expect(await ask(port, '/metrics', { method: 'HEAD' })).toMatchObject({
    status: 200,
    body: '',
    headers: { 'content-length': '4' },
  });
});

test('other paths and verbs are refused, and the connection ends', async () => {
  for (const path of ['/', '/metrics/', '/get_info'])
    expect(await ask(port, path)).toMatchObject({ status: 404, headers: { connection: 'close' } });
  for (const method of ['POST', 'DELETE', 'OPTIONS'])
    expect((await ask(port, '/metrics', { method })).status).toBe(405);
});

test('a page that points its own name at this machine reads nothing', async () => {
  const asking = (host: string) => ask(port, '/metrics', { headers: { host } });
  expect((await asking('evil.example')).status).toBe(403);
  for (const host of ['localhost:9100', '127.0.0.1', '[::1]:1', 'prometheus'])
    expect((await asking(host)).status).toBe(200);
  const open = make('0.0.0.0', 0);
  const openPort = await open.start();
  const headers = { host: 'node.example' };
  expect((await ask(openPort, '/metrics', { headers })).status).toBe(200);
  await open.stop();
});

test('metrics that cannot be read are status 500', async () => {
  scrape = () => Promise.reject(new Error('secret path'));
  const { status, body } = await ask(port, '/metrics');
  expect([status, body]).toEqual([500, 'The metrics could not be read; see the log.\n']);
  scrape = () => Promise.resolve('x 2\n');
  expect((await ask(port, '/metrics')).body).toBe('x 2\n');
});

test('a busy port fails the start, and stopping twice is fine', async () => {
  const second = make('127.0.0.1', port);
  await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  await second.stop();
  await server.stop();
  await server.stop();
  await expect(ask(port, '/metrics')).rejects.toThrow('ECONNREFUSED');
});

test('silent connections do not keep the monitoring system out, nor end a scrape that is running', async () => {
  let finish: (text: string) => void = () => undefined;
  let scrapes = 0;
  scrape = () => {
    scrapes++;
    return new Promise((resolve) => (finish = resolve));
  };
  const first = ask(port, '/metrics');
  while (scrapes === 0) await new Promise((resolve) => setImmediate(resolve));
  const silent: Socket[] = [];
  for (let i = 0; i < 40; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    silent.push(socket);
  }
  finish('x 1\n');
  expect((await first).body).toBe('x 1\n');
  scrape = () => Promise.resolve('x 2\n');
  expect((await ask(port, '/metrics')).body).toBe('x 2\n');
  for (const socket of silent) socket.destroy();
});
