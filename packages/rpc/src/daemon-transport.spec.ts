import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  RpcCallError,
  RpcClient,
  RpcConnectionError,
  RpcHttpError,
  RpcLoginError,
  RpcStatusError,
} from '@monero-node/rpc-client';
import { createDaemonTransport, type DaemonAddress } from './daemon-transport.ts';
import type { RpcOptions } from './options.ts';
import { issue, type TestCertificate } from './testing/certificates.ts';
import { recordedServer, type RecordedServer } from './testing/recorded-server.ts';
import type { TlsOptions } from './tls/options.ts';

const LOGIN = { username: 'user', password: 'pass' };
const GENESIS = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3';

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

function clientOf(port: number, options: Partial<DaemonAddress> = {}): RpcClient {
  const transport = createDaemonTransport({ host: '127.0.0.1', port, ...options });
  const client = new RpcClient({ transport });
  clients.push(client);
  return client;
}

describe('calls', () => {
  test('reach methods and paths, over the network and within the process', async () => {
    const { port, server } = await start();
    for (const client of [clientOf(port), new RpcClient({ transport: server.local })]) {
      expect(await client.rpc('get_block_count')).toMatchObject({ count: 89n, status: 'OK' });
      expect(await client.path('/get_height')).toMatchObject({ height: 89n });
      const id = await client.rpc('on_get_block_hash', [0n]);
      expect(Buffer.from(id).toString('hex')).toBe(GENESIS);
      const { blocks } = await client.binary('/get_blocks_by_height.bin', { heights: [1n] });
      expect(blocks).toHaveLength(1);
    }
  });

  test('fail with an error that names the cause', async () => {
    const { port, restrictedPort, server } = await start();
    for (const client of [clientOf(port), new RpcClient({ transport: server.local })]) {
      const block = client.rpc('get_block', { height: 1000n });
      await expect(block).rejects.toThrow(RpcCallError);
      const level = client.path('/set_log_level', { level: 9 });
      await expect(level).rejects.toThrow(RpcStatusError);
      await expect(level).rejects.toMatchObject({ status: 'Error: log level not valid' });
    }
    const hidden = clientOf(restrictedPort).path('/set_log_level', { level: 1 });
    await expect(hidden).rejects.toThrow(RpcHttpError);
  });

  test('go over one connection, in order', async () => {
    const { port } = await start();
    const client = clientOf(port);
    const answers = await Promise.all([1, 2, 3].map(() => client.path('/get_info')));
    expect(answers.map((answer) => answer.rpc_connections_count)).toEqual([1n, 1n, 1n]);
  });

  test('are refused with a wrong login and without one', async () => {
    const { port } = await start({ login: LOGIN });
    const right = await clientOf(port, { login: LOGIN }).path('/get_height');
    expect(right.height).toBe(89n);
    const wrong = clientOf(port, { login: { ...LOGIN, password: 'x' } });
    await expect(wrong.path('/get_height')).rejects.toThrow(RpcLoginError);
    await expect(clientOf(port).path('/get_height')).rejects.toThrow(RpcLoginError);
  });

  test('fail without a server', async () => {
    await expect(clientOf(1).path('/get_height')).rejects.toThrow(RpcConnectionError);
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
      return (await clientOf(port, { tls: options }).path('/get_height')).height;
    } catch (error) {
      return (error as Error).name;
    }
  };
  const fingerprintOf = (of: TestCertificate): string =>
    new X509Certificate(of.certificate).fingerprint256;

  test.each<[server: TlsOptions['mode'], client: TlsOptions['mode'], expected: unknown]>([
    ['enabled', 'enabled', 89n],
    ['enabled', 'autodetect', 89n],
    ['enabled', 'disabled', 'RpcConnectionError'],
    ['disabled', 'autodetect', 89n],
    ['disabled', 'enabled', 'RpcConnectionError'],
    ['autodetect', 'disabled', 89n],
  ])('server %s, client %s', async (server, client, expected) => {
    const { port } = await start({ tls: serverTls(server) });
    expect(await outcome(port, { mode: client })).toBe(expected);
  });

  test('with rules the certificate is checked, and plain HTTP is never used', async () => {
    const { port } = await start({ tls: serverTls('autodetect') });
    const pinned = (of: TestCertificate): Partial<TlsOptions> => ({
      allowedFingerprints: [fingerprintOf(of)],
    });
    expect(await outcome(port, pinned(certificate))).toBe(89n);
    expect(await outcome(port, pinned(other))).toBe('RpcConnectionError');
    expect(await outcome(port, { caCertificates: join(dir, 'crt') })).toBe(89n);
    expect(await outcome(port, { caCertificates: join(dir, 'other') })).toBe('RpcConnectionError');
    expect(await outcome(port, { ...pinned(other), allowAnyCert: true })).toBe(89n);
  });
});
