import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSocksEndpoint, type SocksEndpoint } from '@monero-node/p2p/socks';
import { SocksServer, type SocksServerOptions } from '@monero-node/p2p/testing';
import type { RpcOptions } from '../options.ts';
import { issue } from '../testing/certificates.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

/** Only the proxy knows where that is. */
const NAME = 'daemon.example';
const LOGIN = { username: 'u', password: 'p' };

let other: RecordedServer;
let node: RecordedServer | undefined;
let proxies: SocksServer[] = [];
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'proxied-'));
  const { key, certificate } = await issue('server');
  writeFileSync(join(dir, 'key'), key);
  writeFileSync(join(dir, 'crt'), certificate);
  const files = { privateKey: join(dir, 'key'), certificate: join(dir, 'crt') };
  other = await recordedServer({
    allowedHosts: [NAME],
    login: LOGIN,
    tls: { mode: 'autodetect', directory: dir, ...files },
  });
});
afterAll(async () => {
  await other.stop();
  rmSync(dir, { recursive: true });
});
afterEach(async () => {
  await node?.stop();
  node = undefined;
  for (const proxy of proxies) await proxy.close();
  proxies = [];
});

async function openProxy(options: Partial<SocksServerOptions> = {}): Promise<SocksServer> {
  const proxy = await SocksServer.open({
    route: ({ host, port }) => ({ host: host === NAME ? '127.0.0.1' : host, port }),
    ...options,
  });
  proxies.push(proxy);
  return proxy;
}

const endpoint = (text: string): SocksEndpoint => {
  const parsed = parseSocksEndpoint(text);
  if (parsed === undefined) throw new Error(`no endpoint: ${text}`);
  return parsed;
};

/** A node that is far behind the other daemon. */
async function lateNode(options: Partial<RpcOptions> = {}): Promise<RecordedServer> {
  node = await recordedServer(options);
  await node.chain.popBlocks(20);
  return node;
}

const heightFrom = async (server: RecordedServer): Promise<unknown> =>
  (JSON.parse((await server.path('/get_height')).body.toString()) as { height: unknown }).height;

const setDaemon = async (server: RecordedServer, request: object): Promise<unknown> =>
  JSON.parse((await server.path('/set_bootstrap_daemon', request)).body.toString());

test.each(['http://', 'https://', ''])(
  'the other daemon at %s is reached by proxy',
  async (scheme) => {
    const proxy = await openProxy();
    const address = `${scheme}${NAME}:${other.port}`;
    const late = await lateNode({
      bootstrapDaemon: { address, login: LOGIN, proxy: endpoint(proxy.address) },
    });
    expect(await heightFrom(late)).toBe(89);
    expect(proxy.requests[0]).toEqual({ version: 4, host: NAME, port: other.port });
  },
);

test('a proxy set by a call, with SOCKS 5 and its login', async () => {
  const proxy = await openProxy({ login: 'me:secret' });
  const late = await lateNode();
  const address = `http://${NAME}:${other.port}`;
  const through = { address, ...LOGIN, proxy: `socks5://me:secret@${proxy.address}` };
  expect(await setDaemon(late, through)).toEqual({ status: 'OK' });
  expect(await heightFrom(late)).toBe(89);
  expect(proxy.requests[0]).toMatchObject({ version: 5, host: NAME, login: 'me:secret' });

  // Without one in the call it is direct again.
  const before = proxy.requests.length;
  const direct = { address: `http://127.0.0.1:${other.port}`, ...LOGIN };
  expect(await setDaemon(late, direct)).toEqual({ status: 'OK' });
  expect(await heightFrom(late)).toBe(89);
  expect(proxy.requests).toHaveLength(before);
});

test("the node's own proxy is used whatever was set", async () => {
  const own = await openProxy();
  const given = await openProxy();
  const address = `http://${NAME}:${other.port}`;
  const late = await lateNode({
    proxy: endpoint(own.address),
    bootstrapDaemon: { address, login: LOGIN, proxy: endpoint(given.address) },
  });
  expect(await heightFrom(late)).toBe(89);
  const called = own.requests.length;
  await setDaemon(late, { address, ...LOGIN, proxy: given.address });
  expect(await heightFrom(late)).toBe(89);
  expect(own.requests.length).toBeGreaterThan(called);
  await setDaemon(late, { address, ...LOGIN });
  expect(await heightFrom(late)).toBe(89);
  expect(given.requests).toEqual([]);
});

test('no connection bypasses a failing proxy', async () => {
  const refusing = await openProxy({ route: () => undefined });
  const closing = await openProxy();
  const closed = closing.address;
  await closing.close();
  const late = await lateNode();
  const address = `http://127.0.0.1:${other.port}`;
  for (const proxy of [refusing.address, closed]) {
    await setDaemon(late, { address, ...LOGIN, proxy });
    expect(await heightFrom(late)).toBe(69);
  }
  expect(refusing.requests.length).toBeGreaterThan(0);
  // SOCKS 4 has no room for an IPv6 address.
  const ipv6 = { address: `http://[::1]:${other.port}`, proxy: `socks4://${refusing.address}` };
  await setDaemon(late, ipv6);
  expect(await heightFrom(late)).toBe(69);
});
