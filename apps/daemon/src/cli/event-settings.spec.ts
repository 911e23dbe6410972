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
    prefix: 'monero.stagenet',
    stream: 'MONERO_STAGENET',
    encoding: 'json',
    from: undefined,
    keepDays: 30,
  });
});

test.each([
  [['--events', 'http://a:1'], 'nats://HOST:PORT or tls://HOST:PORT expected'],
  [['--events', 'nats://user:secret@a:1'], 'use --events-credentials'],
  [['--events', 'nats://a:1', '--events-prefix', 'a.*'], 'Invalid events-prefix'],
  [['--events', 'nats://a:1', '--events-stream', 'a b'], 'Invalid events-stream'],
  [['--events', 'nats://a:1', '--events-encoding', 'xml'], 'Invalid events-encoding'],
  [['--events', 'nats://a:1', '--events-keep-days', '0'], 'Invalid events-keep-days'],
])('%j is refused', (words, message) => {
  expect(() => make(...words)).toThrow(message);
});
