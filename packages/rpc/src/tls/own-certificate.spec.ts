import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { silentLogger } from '@monero-node/base';
import { RpcOptionsError } from '../errors.ts';
import { Callers } from '../gateway/limits/callers.ts';
import { CallerGroup } from '../scheduling/time-shares.ts';
import { issue } from '../testing/certificates.ts';
import { recordedServer } from '../testing/recorded-server.ts';
import { Talk } from '../testing/talk.ts';
import type { Credentials } from './credentials.ts';
import { HandshakeQueue } from './handshake-queue.ts';
import { KeptCertificate } from './kept-certificate.ts';
import { resolveTls } from './options.ts';
import { SecureAcceptor } from './secure-acceptor.ts';
import { createSelfSigned } from './self-signed.ts';

const GET = 'GET /get_height HTTP/1.1\r\nHost: x\r\n\r\n';
/** As the keys that older versions made, but smaller: those take seconds to make. */
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 3072,
};

describe('the certificate that a node makes for itself', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'tls-own-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const file = (suffix: string): string => join(dir, `rpc_ssl.${suffix}`);
  const rightsOf = (suffix: string): number => statSync(file(suffix)).mode & 0o777;

  test("it is kept with monerod's names and rights, and used again", async () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const pair = await createSelfSigned(now);
    const kept = new KeptCertificate(join(dir, 'new'));
    expect(await kept.load()).toBeUndefined();
    await kept.save(pair);
    expect(await kept.load()).toEqual(pair);
    dir = join(dir, 'new');
    expect([rightsOf('key'), rightsOf('crt'), rightsOf('fingerprint')]).toEqual([
      0o400, 0o444, 0o444,
    ]);
    const certificate = new X509Certificate(readFileSync(file('crt')));
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(certificate.subject).toBe('CN=monero-node');
    expect(certificate.checkIssued(certificate)).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(Date.parse(certificate.validTo) - now.getTime()).toBe(182 * 86_400_000);
    expect(readFileSync(file('fingerprint'), 'utf8')).toBe(certificate.fingerprint256);

    // The missing file: only the fingerprint can be restored.
    rmSync(file('fingerprint'));
    await new KeptCertificate(dir).load();
    expect(readFileSync(file('fingerprint'), 'utf8')).toBe(certificate.fingerprint256);
    rmSync(file('key'));
    await expect(new KeptCertificate(dir).load()).rejects.toThrow('both exist');
    rmSync(file('crt'));
    await expect(new KeptCertificate(dir).load()).rejects.toThrow('fingerprint without');
    dir = join(dir, '..');
  });

  test.each(['enabled', 'autodetect'] as const)(
    'with TLS %s, the start of the listeners does not wait for the certificate',
    async (mode) => {
      const options = resolveTls({ mode, directory: dir });
      if (options === undefined) throw new Error('TLS is on');
      const acceptor = new SecureAcceptor(options, silentLogger);
      await acceptor.start();
      expect(readdirSync(dir)).toEqual([]);
      await acceptor.ready();
      await acceptor.credentials;
      expect(readdirSync(dir)).toEqual(['rpc_ssl.crt', 'rpc_ssl.fingerprint', 'rpc_ssl.key']);
    },
  );

  test('twenty TLS clients that come before the certificate is there are served', async () => {
    const options = resolveTls({ mode: 'enabled', directory: dir });
    if (options === undefined) throw new Error('TLS is on');
    let give: (credentials: Credentials) => void = () => undefined;
    const acceptor = new SecureAcceptor(options, silentLogger, new Promise((r) => (give = r)));
    await acceptor.start();
    const queue = new HandshakeQueue(new Callers(new CallerGroup()));
    const accept = acceptor.acceptFor(
      (socket) => void socket.end('served'),
      () => queue,
    );
    const listener = createServer(accept).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const clients = Array.from({ length: 20 }, () =>
      connect({ host: '127.0.0.1', port, rejectUnauthorized: false }),
    );
    const answers = Promise.all(clients.map(async (client) => (await once(client, 'data'))[0]));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    give({ ...(await createSelfSigned()), ca: '' });
    expect((await answers).map(String)).toEqual(clients.map(() => 'served'));
    listener.close();
  });

  test('serves plain clients while it is being made, TLS clients wait; it is not kept after a stop', async () => {
    const node = await recordedServer({ tls: { mode: 'autodetect', directory: dir } });
    const talk = await Talk.open(node.port);
    expect((await talk.ask(GET)).head).toContain('200 Ok');
    const waiting = connect({ host: '127.0.0.1', port: node.port, rejectUnauthorized: false });
    await once(waiting, 'secureConnect');
    expect((await Talk.on(waiting).ask(GET)).head).toContain('200 Ok');
    expect(rightsOf('key')).toBe(0o400);
    await node.stop();

    rmSync(dir, { recursive: true });
    const options = resolveTls({ mode: 'autodetect', directory: join(dir, 'other') });
    if (options === undefined) throw new Error('TLS is on');
    const acceptor = new SecureAcceptor(options, silentLogger);
    await acceptor.start();
    acceptor.stop();
    await expect(acceptor.credentials).rejects.toThrow();
    expect(() => statSync(join(dir, 'other'))).toThrow('ENOENT');
    dir = mkdtempSync(join(tmpdir(), 'tls-own-'));
  }, 60_000);

  test('serial numbers differ, and dates from 2050 on are written with four digits', async () => {
    const [one, other] = await Promise.all(
      ['2026-11-26T08:09:10Z', '2049-12-31T00:00:00Z'].map((at) => createSelfSigned(new Date(at))),
    );
    const [first, second] = [one, other].map(
      (pair) => new X509Certificate(pair?.certificate ?? ''),
    );
    expect(first?.serialNumber).toHaveLength(32);
    expect(first?.serialNumber).not.toBe(second?.serialNumber);
    expect(first?.validFrom).toBe('Nov 26 08:09:10 2026 GMT');
    expect(second?.validFrom).toBe('Dec 31 00:00:00 2049 GMT');
    expect(second?.validTo).toBe('Jul  1 00:00:00 2050 GMT');
  });

  /** A directory in which no file can be made, also by root. */
  const blocked = (): string => {
    const path = join(dir, 'a-file');
    writeFileSync(path, '');
    return path;
  };

  test('where it can not be kept, a node that must speak TLS does not start, and says which file', async () => {
    const directory = blocked();
    const listening = recordedServer({ tls: { mode: 'enabled', directory } });
    await expect(listening).rejects.toThrow(RpcOptionsError);
    await expect(listening).rejects.toThrow(
      `the TLS certificate made for ${join(directory, 'rpc_ssl')} cannot be kept: `,
    );
  });

  test('where it can not be kept, plain clients are served, TLS clients are closed, and the log says why', async () => {
    const directory = blocked();
    const errors: string[] = [];
    const logger = { ...silentLogger, error: (text: string) => void errors.push(text) };
    const node = await recordedServer({ tls: { mode: 'autodetect', directory } }, { logger });
    const talk = await Talk.open(node.port);
    expect((await talk.ask(GET)).head).toContain('200 Ok');
    talk.close();
    const client = connect({ host: '127.0.0.1', port: node.port, rejectUnauthorized: false });
    await expect(once(client, 'secureConnect')).rejects.toThrow('disconnected');
    expect(errors).toEqual([expect.stringContaining('cannot be kept: EEXIST')]);
    await node.stop();
  });

  test('a save that fails removes the files that it made, and no others', async () => {
    const pair = await createSelfSigned();
    writeFileSync(file('crt'), 'of somebody else');
    await expect(new KeptCertificate(dir).save(pair)).rejects.toThrow('EEXIST');
    expect(readdirSync(dir)).toEqual(['rpc_ssl.crt']);
  });

  test('the RSA certificate of an older start stays in use, and the log says what it costs', async () => {
    const pair = await issue('monero-node', undefined, RSA);
    await new KeptCertificate(dir).save(pair);
    const lines: string[] = [];
    const logger = { ...silentLogger, info: (text: string) => void lines.push(text) };
    const node = await recordedServer({ tls: { mode: 'enabled', directory: dir } }, { logger });
    const socket = connect({ host: '127.0.0.1', port: node.port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(
      new X509Certificate(pair.certificate).fingerprint256,
    );
    expect(lines).toContainEqual(expect.stringContaining('the TLS key is RSA 3072'));
    socket.destroy();
    await node.stop();
  });
});
