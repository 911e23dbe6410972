import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { RpcOptionsError } from '../errors.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { issue, type TestCertificate } from '../testing/certificates.ts';
import { Talk } from '../testing/talk.ts';
import type { TlsOptions } from './options.ts';

const GET = 'GET /get_height HTTP/1.1\r\nHost: x\r\n\r\n';

/** Every certificate that the tests need; made once because keys take time. */
interface Certificates {
  readonly server: TestCertificate;
  readonly authority: TestCertificate;
  readonly intermediate: TestCertificate;
  /** Signed by the authority. */
  readonly client: TestCertificate;
  /** Signed by the intermediate authority. */
  readonly deep: TestCertificate;
  readonly self: TestCertificate;
  readonly other: TestCertificate;
}

async function makeCertificates(): Promise<Certificates> {
  const authority = await issue('ca');
  const intermediate = await issue('intermediate', authority);
  return {
    server: await issue('server'),
    authority,
    intermediate,
    client: await issue('client', authority),
    deep: await issue('deep', intermediate),
    self: await issue('self'),
    other: await issue('other'),
  };
}

describe('a port with TLS', () => {
  let dir: string;
  let certificates: Certificates;
  let node: RecordedServer | undefined;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'tls-'));
    certificates = await makeCertificates();
    const { server, authority, self } = certificates;
    writeFileSync(join(dir, 'server.key'), server.key);
    writeFileSync(join(dir, 'server.crt'), server.certificate);
    writeFileSync(join(dir, 'trust.pem'), authority.certificate + self.certificate);
  });
  afterAll(() => rmSync(dir, { recursive: true }));
  afterEach(async () => {
    await node?.stop();
    node = undefined;
  });

  const start = async (tls: Partial<TlsOptions> = {}): Promise<RecordedServer> => {
    node = await recordedServer({
      tls: {
        mode: 'autodetect',
        directory: dir,
        privateKey: join(dir, 'server.key'),
        certificate: join(dir, 'server.crt'),
        ...tls,
      },
    });
    return node;
  };

  /** The status line that a client gets; empty when it is turned away. */
  const plain = async (port: number): Promise<string> => {
    const talk = await Talk.open(port);
    const { head } = await talk.ask(GET);
    talk.close();
    return head.split('\r\n')[0] ?? '';
  };
  const secure = async (port: number, options: ConnectionOptions = {}): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
    try {
      await once(socket, 'secureConnect');
    } catch {
      return '';
    }
    const talk = Talk.on(socket);
    const { head } = await talk.ask(GET);
    talk.close();
    return head.split('\r\n')[0] ?? '';
  };
  const as = (who: TestCertificate, ...chain: TestCertificate[]): ConnectionOptions => ({
    key: who.key,
    cert: [who, ...chain].map(({ certificate }) => certificate).join(''),
  });
  const OK = 'HTTP/1.1 200 Ok';

  test('autodetect: the same port serves both', async () => {
    const { port, restrictedPort } = await start();
    expect(await plain(port)).toBe(OK);
    expect(await secure(port)).toBe(OK);
    expect(await secure(restrictedPort)).toBe(OK);
  });

  test('enabled: plain clients are turned away', async () => {
    const { port } = await start({ mode: 'enabled' });
    expect(await plain(port)).toBe('');
    expect(await secure(port)).toBe(OK);
  });

  test('disabled: TLS clients are turned away', async () => {
    const { port } = await start({ mode: 'disabled' });
    expect(await plain(port)).toBe(OK);
    expect(await secure(port)).toBe('');
  });

  test('TLS 1.2 is the oldest version, with forward secrecy', async () => {
    const { port } = await start();
    expect(await secure(port, { maxVersion: 'TLSv1.2' })).toBe(OK);
    const weak = 'DEFAULT@SECLEVEL=0';
    expect(
      await secure(port, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: weak }),
    ).toBe('');
    expect(await secure(port, { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' })).toBe('');
  });

  test.each([
    ['X25519', OK],
    ['P-256', OK],
    ['P-384', OK],
    ['P-521', ''],
    ['ffdhe2048', ''],
    // An answer would take 150 ms of the event loop.
    ['ffdhe8192', ''],
  ])('a client that knows no group but %s', async (ecdhCurve, line) => {
    const { port } = await start();
    expect(await secure(port, { ecdhCurve })).toBe(line);
  });

  test('the configured certificate is shown', async () => {
    const { port } = await start();
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(
      new X509Certificate(certificates.server.certificate).fingerprint256,
    );
    socket.destroy();
  });

  // The clients that are let in, as monerod 0.18.0.0 decided for certificates like these.
  type Rules = Partial<TlsOptions>;
  const fingerprintOf = ({ certificate }: TestCertificate): string =>
    new X509Certificate(certificate).fingerprint256;
  const trust = (): Rules => ({ caCertificates: join(dir, 'trust.pem') });
  const fingerprint = (): Rules => ({ allowedFingerprints: [fingerprintOf(certificates.other)] });
  test.each<[name: string, rules: () => Rules, letIn: string[]]>([
    ['no rules', () => ({}), ['plain', 'none', 'client', 'deep', 'self', 'other']],
    ['fingerprints', fingerprint, ['other']],
    ['authorities', trust, ['client', 'self']],
    [
      'authorities, chained',
      () => ({ ...trust(), allowChained: true }),
      ['client', 'deep', 'self'],
    ],
    [
      'both, TLS disabled',
      () => ({ ...trust(), ...fingerprint(), mode: 'disabled' }),
      ['client', 'self', 'other'],
    ],
    [
      'any certificate',
      () => ({ ...trust(), allowAnyCert: true }),
      ['plain', 'none', 'client', 'deep', 'self', 'other'],
    ],
  ])('client certificates: %s', async (_name, rules, letIn) => {
    const { port } = await start(rules());
    const { client, deep, intermediate, self, other } = certificates;
    const answers: [string, string][] = [
      ['plain', await plain(port)],
      ['none', await secure(port)],
      ['client', await secure(port, as(client))],
      ['deep', await secure(port, as(deep, intermediate))],
      ['self', await secure(port, as(self))],
      ['other', await secure(port, as(other))],
    ];
    expect(answers.filter(([, line]) => line === OK).map(([who]) => who)).toEqual(letIn);
  });

  test('connections are counted until they close, with or without TLS', async () => {
    const { port, server } = await start();
    const rpcConnections = async (): Promise<number> => {
      const talk = await Talk.open(port);
      const { body } = await talk.ask('GET /get_info HTTP/1.1\r\nHost: x\r\n\r\n');
      talk.close();
      return Number(/"rpc_connections_count": (\d+)/.exec(body)?.[1]);
    };
    for (let i = 0; i < 3; i++) await secure(port);
    const silent = connectPlain(port, '127.0.0.1');
    await once(silent, 'connect');
    expect(await rpcConnections()).toBe(2);
    silent.destroy();
    // Until the node has seen that it is closed.
    let open = 2;
    while (open > 1) open = await rpcConnections();
    expect(open).toBe(1);
    expect(server.ports.main).toBe(port);
  });

  test('stop closes silent, idle and half-open connections at once', async () => {
    const { port, stop } = await start();
    const silent = connectPlain(port, '127.0.0.1');
    const idle = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect')]);
    await Talk.on(idle).ask(GET);
    await stop();
    node = undefined;
    silent.destroy();
    idle.destroy();
  });

  test.each([
    ['garbage after the first byte', Buffer.from([0x16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])],
    ['half a handshake, then the end', Buffer.from([0x16, 3, 1, 0, 200, 1])],
    ['nothing, then the end', Buffer.alloc(0)],
  ])('%s does no harm', async (_name, bytes) => {
    const { port } = await start();
    const socket = connectPlain(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.end(bytes);
    socket.resume();
    await once(socket, 'close');
    expect(await plain(port)).toBe(OK);
  });

  test.each<[name: string, tls: Partial<TlsOptions>]>([
    ['a missing file', { privateKey: '/nonexistent/x.key' }],
    ['a key without certificate', { certificate: undefined }],
    ['a certificate without key', { privateKey: undefined }],
    ['a short fingerprint', { allowedFingerprints: ['abcd'] }],
  ])('%s fails the start', async (_name, tls) => {
    await expect(start(tls)).rejects.toThrow(RpcOptionsError);
  });

  test('a key of another certificate, or a file without certificates, fails the start', async () => {
    writeFileSync(join(dir, 'wrong.key'), certificates.other.key);
    await expect(start({ privateKey: join(dir, 'wrong.key') })).rejects.toThrow(
      'TLS key or certificates',
    );
    await expect(start({ caCertificates: join(dir, 'wrong.key') })).rejects.toThrow(
      'no certificate',
    );
  });
});
