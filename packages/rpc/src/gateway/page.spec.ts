import { gunzipSync } from 'node:zlib';
import type { WebPage } from '../page/web-page.ts';
import { ask, type HttpReply } from '../testing/http.ts';
import { madeUpPage } from '../testing/made-up-page.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

let page: WebPage;
let node: RecordedServer;
beforeAll(async () => {
  page = madeUpPage();
  node = await recordedServer({ allowedHosts: ['node.example'] }, { page });
});
afterAll(() => node.stop());

const get = (path: string, headers: Record<string, string> = {}, port = node.port) =>
  ask(port, { verb: 'GET', path, headers });

describe('the files of the page', () => {
  test('GET / is the page, and HEAD has its length', async () => {
    const { status, type, headers, body } = await get('/');
    expect([status, type, body.toString()]).toEqual([
      ...[200, 'text/html; charset=utf-8', '<!doctype html><title>page</title>'],
    ]);
    expect(headers['cache-control']).toBe('no-store');
    const head = await ask(node.port, { verb: 'HEAD', path: '/' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '34', 0]);
  });

  test('a browser may run scripts of this node only, and no other site may frame the page', async () => {
    for (const path of ['/', '/page/app.js']) {
      const { headers } = await get(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      for (const part of ['script-src', 'style-src', 'connect-src'])
        expect(policy).toMatch(new RegExp(`${part} 'self'(;|$)`));
      for (const part of ['frame-ancestors', 'base-uri', 'form-action'])
        expect(policy).toContain(`${part} 'none'`);
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('files whose name has a hash are kept, and compressed for clients that take it', async () => {
    const plain = await get('/page/app.js');
    expect(plain.headers['cache-control']).toContain('immutable');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const small = await get('/page/app.js', { 'Accept-Encoding': 'br, gzip;q=0.8' });
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(small.body)).toEqual(plain.body);
    const whole = await get('/page/app.js', { 'Accept-Encoding': 'gzip ; q=1.0 ,br' });
    expect(whole.headers['content-encoding']).toBe('gzip');
    const refused = await get('/page/app.js', { 'Accept-Encoding': 'gzip;q=0, br' });
    expect(refused.body).toEqual(plain.body);
  });

  test('a header that was made to take long is read at once', async () => {
    // With an expression that tries each way to split the digits, this takes seconds and more.
    const digits = '1'.repeat(60_000);
    const { headers } = await get('/page/app.js', { 'Accept-Encoding': `gzip;q=0.${digits}!` });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test.each(['POST', 'PUT', 'DELETE', 'TRACE'])('%s / is answered as before', async (verb) => {
    expect((await ask(node.port, { verb, path: '/' })).status).toBe(404);
  });

  test('paths are matched exactly', async () => {
    for (const path of [
      '/?x=1',
      '//',
      '/page',
      '/page/',
      '/page/app.js/',
      '/page/../',
      '/index.html',
    ])
      expect((await get(path)).status).toBe(404);
  });
});

describe('which ports serve it', () => {
  const statuses = async (options: Parameters<typeof recordedServer>[0]): Promise<number[]> => {
    const other = await recordedServer(options, { page: madeUpPage() });
    const ports = [other.port, other.restrictedPort];
    const answers = await Promise.all(ports.map((port) => get('/', {}, port)));
    await other.stop();
    return answers.map(({ status }) => status);
  };

  test('by default, the owner has it and the public has not', async () => {
    expect(await statuses({})).toEqual([200, 404]);
    expect(await statuses({ restrictedRpc: true })).toEqual([404, 404]);
  });

  test('all ports, or none', async () => {
    expect(await statuses({ page: 'all' })).toEqual([200, 200]);
    expect(await statuses({ page: 'none' })).toEqual([404, 404]);
  });

  test('a node without a page', async () => {
    const other = await recordedServer();
    expect((await get('/', {}, other.port)).status).toBe(404);
    await other.stop();
  });
});

describe('strangers', () => {
  test.each(['/', '/page/app.js', '/page/events'])(
    'a name pointed at this machine does not get %s',
    async (path) => {
      for (const Host of ['evil.example', 'evil.example:18081', '127.0.0.1.nip.io'])
        expect((await get(path, { Host })).status).toBe(403);
      if (path !== '/page/events') {
        for (const Host of ['node.example', 'localhost:1', '[::1]:18081', 'box'])
          expect((await get(path, { Host })).status).toBe(200);
      }
    },
  );

  test('nor when the port is open to other machines', async () => {
    const other = await recordedServer(
      { bindIp: '0.0.0.0', confirmExternalBind: true, page: 'all' },
      { page: madeUpPage() },
    );
    const headers = { Host: 'evil.example' };
    expect((await get('/', headers, other.port)).status).toBe(403);
    expect((await get('/page/events', headers, other.port)).status).toBe(403);
    // The public page is often behind a proxy that passes the public name on.
    expect((await get('/', headers, other.restrictedPort)).status).toBe(200);
    await other.stop();
  });

  test.each([
    { Origin: 'http://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('other pages do not get the events: %j', async (headers) => {
    const { status } = await get('/page/events', headers);
    expect(status).toBe(403);
  });

  test('a link of another site may lead to the page', async () => {
    expect((await get('/', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200);
  });
});

describe('calls of the page', () => {
  const host = (port: number): string => `127.0.0.1:${port}`;
  const stop = (headers: Record<string, string>, port = node.port): Promise<HttpReply> =>
    ask(port, { path: '/stop_daemon', body: '{}', headers: { Host: host(port), ...headers } });
  const own = (port = node.port): Record<string, string> => ({
    Origin: `http://${host(port)}`,
    'Sec-Fetch-Site': 'same-origin',
    'X-Requested-With': 'monero-node',
  });

  test('the page of this node may call what restricted ports hide', async () => {
    const before = node.control.stops;
    expect((await stop(own())).status).toBe(200);
    const { 'Sec-Fetch-Site': _unsent, ...old } = own();
    // Browsers send Sec-Fetch-Site to trustworthy addresses only.
    expect((await stop(old)).status).toBe(200);
    expect(node.control.stops).toBe(before + 2);
  });

  test.each([
    ['without its mark', { 'X-Requested-With': '' }],
    ['with the mark of a library', { 'X-Requested-With': 'XMLHttpRequest' }],
    ['from another port', { Origin: 'http://127.0.0.1:1' }],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['from a neighbor', { 'Sec-Fetch-Site': 'same-site' }],
    ['from nowhere', { Origin: 'null' }],
    ['under a foreign name', { Origin: 'http://evil.example', Host: 'evil.example' }],
  ])('but not %s', async (_, changed) => {
    const before = node.control.stops;
    expect((await stop({ ...own(), ...changed })).status).toBe(403);
    expect(node.control.stops).toBe(before);
  });

  test('nor under a foreign name when the port is open to other machines', async () => {
    const other = await recordedServer(
      { bindIp: '0.0.0.0', confirmExternalBind: true },
      { page: madeUpPage() },
    );
    const headers = { ...own(other.port), Origin: 'http://evil.example', Host: 'evil.example' };
    expect((await stop(headers, other.port)).status).toBe(403);
    expect((await stop(own(other.port), other.port)).status).toBe(200);
    await other.stop();
  });

  test('nor when the page is off', async () => {
    const other = await recordedServer({ page: 'none' }, { page: madeUpPage() });
    expect((await stop(own(other.port), other.port)).status).toBe(403);
    await other.stop();
  });

  test('a foreign page gets no leave to send the mark', async () => {
    const { headers } = await ask(node.port, {
      verb: 'OPTIONS',
      path: '/stop_daemon',
      headers: { Origin: 'http://evil.example' },
    });
    expect(headers['access-control-allow-headers']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('with a login, all of the page needs it', async () => {
  const login = { username: 'user', password: 'secret' };
  const other = await recordedServer({ login }, { page: madeUpPage() });
  for (const path of ['/', '/page/app.js', '/page/events'])
    expect((await get(path, {}, other.port)).status).toBe(401);
  await other.stop();
});
