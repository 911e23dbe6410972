import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import type { FinishedCall } from '../../finished-call.ts';
import { recordedServer, type RecordedServer } from '../../testing/recorded-server.ts';
import { Talk } from '../../testing/talk.ts';

const CLIENT = '203.0.113.7';
const OTHER = '203.0.113.8';
const PROXY_LINE = (client: string): string => `PROXY TCP4 ${client} 127.0.0.1 1 2\r\n`;
const request = (path = '/get_height', headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const forwarded = (client: string, path = '/get_height'): string =>
  request(path, `X-Forwarded-For: ${client}\r\n`);

let node: RecordedServer;
let calls: FinishedCall[];
async function start(trustedProxies: string[], more: object = {}): Promise<void> {
  calls = [];
  const onCall = (call: FinishedCall): void => void calls.push(call);
  node = await recordedServer({ trustedProxies, ...more }, { onCall });
}
afterEach(() => node.stop());

const ports = (): number[] => [node.port, node.restrictedPort];
/** Resolves with the addresses of the calls, when that many have ended. */
async function callers(count: number): Promise<(string | undefined)[]> {
  while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
  return calls.map(({ address }) => address);
}

test('a trusted proxy names the client of each request or of the connection', async () => {
  await start(['127.0.0.0/8']);
  for (const port of ports()) {
    const talk = await Talk.open(port);
    for (const client of [CLIENT, OTHER])
      expect((await talk.ask(forwarded(`9.9.9.9, ${client}`))).head).toContain('200 Ok');
    expect((await talk.ask(request())).head).toContain('200 Ok');
    talk.close();
    const own = await Talk.open(port);
    expect((await own.ask(PROXY_LINE(CLIENT) + forwarded(OTHER))).head).toContain('200 Ok');
    expect((await own.ask(request())).head).toContain('200 Ok');
    own.close();
  }
  const once = [CLIENT, OTHER, '127.0.0.1', CLIENT, CLIENT];
  expect(await callers(10)).toEqual([...once, ...once]);
});

test('nobody else is believed', async () => {
  await start(['192.0.2.1', '::1']);
  for (const port of ports()) {
    const talk = await Talk.open(port);
    expect((await talk.ask(forwarded(CLIENT))).head).toContain('200 Ok');
    const liar = await Talk.open(port);
    expect((await liar.ask(PROXY_LINE(CLIENT) + request())).head).toBe('');
    talk.close();
  }
  expect(await callers(2)).toEqual(['127.0.0.1', '127.0.0.1']);
});

test('a header that comes byte by byte, and TLS behind it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'proxied-'));
  await start(['127.0.0.1'], { tls: { mode: 'autodetect', directory } });
  const slow = connect(node.port, '127.0.0.1');
  await once(slow, 'connect');
  slow.setNoDelay(true);
  for (const byte of PROXY_LINE(CLIENT)) {
    slow.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const talk = Talk.on(slow);
  expect((await talk.ask(request())).head).toContain('200 Ok');
  talk.close();
  const raw = connect(node.port, '127.0.0.1');
  await once(raw, 'connect');
  raw.write(PROXY_LINE(OTHER));
  const tls = connectTls({ socket: raw, rejectUnauthorized: false });
  const secret = Talk.on(tls);
  expect((await secret.ask(request())).head).toContain('200 Ok');
  secret.close();
  expect(await callers(2)).toEqual([CLIENT, OTHER]);
  await rm(directory, { recursive: true });
}, 60_000);

test('a malformed header and a silent start end the connection without an answer', async () => {
  await start(['127.0.0.1']);
  for (const bytes of ['PROXY TCP4 nonsense\r\n', `PROXY ${'x'.repeat(200)}`]) {
    const talk = await Talk.open(node.port);
    expect(await talk.ask(bytes)).toEqual({ head: '', body: '' });
  }
});

test('the limit of connections counts for the client and not for the proxy', async () => {
  await start(['127.0.0.1'], { maxConnectionsPerPrivateIp: 2, maxConnectionsPerPublicIp: 2 });
  const open: Talk[] = [];
  const ask = async (bytes: string): Promise<string> => {
    const talk = await Talk.open(node.restrictedPort);
    open.push(talk);
    return /^HTTP\/1.1 (\d+)/.exec((await talk.ask(bytes)).head)?.[1] ?? 'closed';
  };
  const named = (client: string): Promise<string> => ask(PROXY_LINE(client) + request());
  expect([await named(CLIENT), await named(CLIENT), await named(CLIENT)]).toEqual([
    ...['200', '200', 'closed'],
  ]);
  expect(await named(OTHER)).toBe('200');
  // One connection after another is used for that client, and given back after each request.
  for (let i = 0; i < 5; i++) expect(await ask(forwarded('203.0.113.9'))).toBe('200');
  expect(await ask(forwarded(CLIENT))).toBe('429');
  for (const talk of open.splice(0)) talk.close();
});

test('a client that is banned is refused, and its proxy is not', async () => {
  await start(['127.0.0.1']);
  node.p2p.ban(CLIENT, 60);
  const talk = await Talk.open(node.restrictedPort);
  expect((await talk.ask(forwarded(CLIENT))).head).toContain('HTTP/1.1 403 ');
  expect((await talk.ask(forwarded(OTHER))).head).toBe('');
  const named = await Talk.open(node.restrictedPort);
  expect((await named.ask(PROXY_LINE(CLIENT) + request())).head).toBe('');
  const other = await Talk.open(node.restrictedPort);
  expect((await other.ask(forwarded(OTHER))).head).toContain('200 Ok');
  other.close();
});
