import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { issue, type TestCertificate } from '../testing/certificates.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import type { RpcOptions } from '../options.ts';
import type { TlsOptions } from '../tls/options.ts';
import { RpcCallError, RpcConnectionError } from './caller.ts';
import { DigestClient } from './digest-client.ts';
import { RpcClient, type RpcClientOptions } from './rpc-client.ts';

const LOGIN = { username: 'usér', password: 'pass' };

let node: RecordedServer | undefined;
let clients: RpcClient[] = [];
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await node?.stop();
  node = undefined;
});

async function start(options: Partial<RpcOptions> = {}): Promise<RecordedServer> {
  node = await recordedServer(options);
  return node;
}

function clientOf(port: number, options: Partial<RpcClientOptions> = {}): RpcClient {
  const client = new RpcClient({ host: '127.0.0.1', port, ...options });
  clients.push(client);
  return client;
}

describe('calls', () => {
  test('methods and paths, over the network and without', async () => {
    const { port, server } = await start();
    for (const caller of [clientOf(port).caller, server.local]) {
      expect(await caller.method('get_block_count')).toMatchObject({ count: 89, status: 'OK' });
      expect(await caller.path('/get_height')).toMatchObject({ height: 89 });
      expect(await caller.method('on_get_block_hash', [0])).toEqual({
        result: '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3',
      });
    }
  });

  test('what is not success is an error that says what was wrong', async () => {
    const { port, server } = await start();
    for (const caller of [clientOf(port).caller, server.local]) {
      await expect(caller.method('nonsense')).rejects.toThrow('Method not found');
      await expect(caller.path('/nonsense')).rejects.toThrow('not available');
      await expect(caller.path('/set_log_level', { level: 9 })).rejects.toMatchObject({
        name: 'RpcCallError',
        status: 'Error: log level not valid',
      });
      await expect(caller.path('/set_log_level', { level: 'x' })).rejects.toThrow(RpcCallError);
    }
  });

  test('requests go over one connection, in order', async () => {
    const { port } = await start();
    const { caller } = clientOf(port);
    const answers = await Promise.all([1, 2, 3].map(() => caller.path('/get_info')));
    expect(answers.map((answer) => answer['rpc_connections_count'])).toEqual([1, 1, 1]);
  });

  test('nobody there', async () => {
    await expect(clientOf(1).caller.path('/get_height')).rejects.toThrow(RpcConnectionError);
  });

  test('a server that says nothing is given up', async () => {
    const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { caller } = clientOf(port, { timeout: 50 });
    await expect(caller.path('/get_height')).rejects.toThrow('no answer in time');
    silent.close();
    silent.closeAllConnections();
  });
});

describe('login', () => {
  test('the right one gets in, again and again, also after the connection was lost', async () => {
    const { port } = await start({ login: { ...LOGIN, username: 'user' } });
    const client = clientOf(port, { login: { ...LOGIN, username: 'user' } });
    for (let i = 0; i < 3; i++)
      expect(await client.caller.path('/get_height')).toMatchObject({ height: 89 });
    client.close();
    expect(await client.caller.path('/get_height')).toMatchObject({ height: 89 });
  });

  test('a wrong one and none are refused', async () => {
    const { port } = await start({ login: LOGIN });
    const wrong = clientOf(port, { login: { ...LOGIN, password: 'x' } });
    await expect(wrong.caller.path('/get_height')).rejects.toThrow('wants a login');
    await expect(clientOf(port).caller.path('/get_height')).rejects.toThrow(RpcConnectionError);
  });

  test('a wrong login is tried once per challenge, a stale nonce leads to another try', () => {
    const client = new DigestClient(LOGIN);
    const challenge = (nonce: string, stale: boolean): string =>
      `Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="${nonce}",stale=${String(stale)}`;
    expect(client.authorization('POST', '/')).toBeUndefined();
    expect(client.challenged([challenge('a', false)])).toBe(true);
    expect(client.authorization('POST', '/')).toContain('nonce="a"');
    expect(client.challenged([challenge('b', false)])).toBe(false);
    expect(client.challenged([challenge('c', true)])).toBe(true);
    expect(client.authorization('POST', '/')).toContain('nc=00000001');
    expect(client.authorization('POST', '/')).toContain('nc=00000002');
  });

  test.each([
    'Basic realm="x"',
    'Digest qop="auth",algorithm=SHA-256,nonce="a"',
    'Digest nonce="a"',
  ])('a challenge that is not understood: %s', (header) => {
    expect(new DigestClient(LOGIN).challenged([header])).toBe(false);
  });
});

describe('TLS', () => {
  let dir: string;
  let certificate: TestCertificate;
  let other: TestCertificate;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'client-'));
    certificate = await issue('server');
    other = await issue('other');
    writeFileSync(join(dir, 'key'), certificate.key);
    writeFileSync(join(dir, 'crt'), certificate.certificate);
    writeFileSync(join(dir, 'other'), other.certificate);
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const serverTls = (mode: TlsOptions['mode']): TlsOptions => ({
    mode,
    directory: dir,
    privateKey: join(dir, 'key'),
    certificate: join(dir, 'crt'),
  });
  const outcome = async (port: number, tls: Partial<TlsOptions>): Promise<unknown> => {
    const options: TlsOptions = { mode: 'autodetect', directory: dir, ...tls };
    try {
      return (await clientOf(port, { tls: options }).caller.path('/get_height'))['height'];
    } catch (error) {
      return (error as Error).name;
    }
  };
  const fingerprintOf = (of: TestCertificate): string =>
    new X509Certificate(of.certificate).fingerprint256;

  test.each<[server: TlsOptions['mode'], client: TlsOptions['mode'], expected: unknown]>([
    ['enabled', 'enabled', 89],
    ['enabled', 'autodetect', 89],
    ['enabled', 'disabled', 'RpcConnectionError'],
    ['disabled', 'autodetect', 89],
    ['disabled', 'enabled', 'RpcConnectionError'],
    ['autodetect', 'disabled', 89],
  ])('server %s, client %s', async (server, client, expected) => {
    const { port } = await start({ tls: serverTls(server) });
    expect(await outcome(port, { mode: client })).toBe(expected);
  });

  test('the certificate is checked when rules for it are given, and never is plain HTTP used then', async () => {
    const { port } = await start({ tls: serverTls('autodetect') });
    const pinned = (of: TestCertificate): Partial<TlsOptions> => ({
      allowedFingerprints: [fingerprintOf(of)],
    });
    expect(await outcome(port, pinned(certificate))).toBe(89);
    expect(await outcome(port, pinned(other))).toBe('RpcConnectionError');
    expect(await outcome(port, { caCertificates: join(dir, 'crt') })).toBe(89);
    expect(await outcome(port, { caCertificates: join(dir, 'other') })).toBe('RpcConnectionError');
    expect(await outcome(port, { ...pinned(other), allowAnyCert: true })).toBe(89);
  });
});
