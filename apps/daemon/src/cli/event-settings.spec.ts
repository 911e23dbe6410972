import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDaemonSettings, type DaemonSettings } from './daemon-settings.ts';
import { parseArguments } from './parse-arguments.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const make = (...words: string[]): DaemonSettings =>
  makeDaemonSettings(parseArguments(['--data-dir', folder, ...words]).values);

test('events are off unless a server is given', () => {
  expect(make().events).toBeUndefined();
  expect(make('--events-prefix', 'a').warnings).toEqual([
    '--events-prefix has no effect without --events',
  ]);
});

test('names follow the network', () => {
  expect(make('--stagenet', '--events', 'nats://127.0.0.1:4222').events).toEqual({
    server: 'nats://127.0.0.1:4222',
    credentialsFile: undefined,
    tlsCaFile: undefined,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    prefix: 'monero.stagenet',
    stream: 'MONERO_STAGENET',
    encoding: 'json',
    from: undefined,
    keepDays: 30,
    replicas: 1,
  });
});

test('servers of a cluster, its replicas and a certificate of the node', () => {
  const words = ['--events', 'tls://a:1, tls://b:2,tls://c', '--events-replicas', '3'];
  const certificate = ['--events-tls-cert', 'node.pem', '--events-tls-key', 'node.key'];
  expect(make(...words, ...certificate).events).toMatchObject({
    server: 'tls://a:1,tls://b:2,tls://c',
    replicas: 3,
    tlsCertFile: 'node.pem',
    tlsKeyFile: 'node.key',
  });
});

test.each([
  [['--events', 'http://a:1'], 'nats://HOST:PORT or tls://HOST:PORT expected'],
  [['--events', 'nats://user:secret@a:1'], 'use --events-credentials'],
  [['--events', 'nats://a:1', '--events-prefix', 'a.*'], 'Invalid events-prefix'],
  [['--events', 'nats://a:1', '--events-stream', 'a b'], 'Invalid events-stream'],
  [['--events', 'nats://a:1', '--events-encoding', 'xml'], 'Invalid events-encoding'],
  [['--events', 'nats://a:1', '--events-keep-days', '0'], 'Invalid events-keep-days'],
  [['--events', 'nats://a:1,'], 'nats://HOST:PORT or tls://HOST:PORT expected'],
  [['--events', 'nats://a:1,nats://user:secret@b:1'], 'use --events-credentials'],
  [['--events', 'nats://a:1,tls://b:1'], 'for all servers alike'],
  [['--events', Array.from({ length: 17 }, () => 'nats://a:1').join()], 'at most 16 servers'],
  [['--events', 'nats://a:1', '--events-replicas', '2'], 'Invalid events-replicas 2'],
  [['--events', 'nats://a:1', '--events-tls-cert', 'a.pem'], 'need each other'],
])('%j is refused', (words, message) => {
  expect(() => make(...words)).toThrow(message);
});
