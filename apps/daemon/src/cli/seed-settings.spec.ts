import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDaemonSettings } from './daemon-settings.ts';
import { parseArguments } from './parse-arguments.ts';

const KEY = '0123456789abcdef0123456789abcdef';
let folder: string;
let key: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seed-settings-'));
  key = join(folder, 'key');
  writeFileSync(key, `${KEY}\n`, { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const make = (...argv: string[]) =>
  makeDaemonSettings(parseArguments(['--data-dir', folder, ...argv]).values);

test('a source listens where it is told, with a key', () => {
  expect(make().seedServer).toBeUndefined();
  expect(make('--seed-bind-port', '7', '--seed-key-file', key).seedServer).toEqual({
    ...{ bindIp: '127.0.0.1', bindPort: 7, key: KEY },
  });
  expect(() => make('--seed-bind-port', '7')).toThrow('--seed-bind-port needs --seed-key-file');
});

test.each([
  ['10.0.0.1:18091', 'http://10.0.0.1:18091/seed.json'],
  ['node.example:80', 'http://node.example/seed.json'],
  ['[2001:db8::1]:5', 'http://[2001:db8::1]:5/seed.json'],
  ['http://node.example/x/seed.json', 'http://node.example/x/seed.json'],
])('a receiver of %s asks for %s', (given, url) => {
  const { seedFrom } = make('--seed-from', given, '--seed-key-file', key);
  expect(seedFrom).toMatchObject({ key: KEY, level: 'quick' });
  expect(seedFrom?.url.href).toBe(url);
});

test('a backup at an https URL is taken without a key, which it could not have', () => {
  const url = 'https://b.example/seed.json?v=2';
  for (const more of [[], ['--seed-key-file', key]])
    expect(make('--seed-from', url, '--seed-verify', 'rows', ...more).seedFrom).toEqual({
      ...{ url: new URL(url), key: undefined, level: 'rows' },
    });
});

test.each([
  [['--seed-from', 'node.example:5'], 'needs --seed-key-file'],
  [['--seed-from', 'node.example'], 'HOST:PORT of a node'],
  [['--seed-from', 'ftp://node.example:21'], 'HOST:PORT of a node'],
  [['--seed-from', 'https://a:b@node.example/seed.json'], 'must not hold a login'],
  [['--seed-from', 'https://b.example/seed.json', '--offline'], 'leave --offline away'],
  [['--seed-from', 'https://b.example/seed.json', '--seed-verify', 'none'], 'quick, rows expected'],
])('%j is refused', (argv, message) => {
  expect(() => make(...argv)).toThrow(message);
});

test('a key that is short, or that others can read, is refused', () => {
  writeFileSync(key, 'short');
  expect(() => make('--seed-bind-port', '7', '--seed-key-file', key)).toThrow('at least 32');
  writeFileSync(key, `${KEY}\n${KEY}`);
  expect(() => make('--seed-bind-port', '7', '--seed-key-file', key)).toThrow('one line');
});

test('options without effect are named', () => {
  expect(
    make('--seed-bind-ip', '::', '--seed-key-file', key, '--seed-verify', 'rows').warnings,
  ).toEqual([
    '--seed-bind-ip has no effect without --seed-bind-port',
    '--seed-verify has no effect without --seed-from',
    '--seed-key-file has no effect without --seed-bind-port or --seed-from',
  ]);
});
