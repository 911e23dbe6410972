import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDaemonSettings, type DaemonSettings } from './daemon-settings.ts';
import { parseArguments } from './parse-arguments.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alert-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const make = (...words: string[]): DaemonSettings =>
  makeDaemonSettings(parseArguments(['--data-dir', folder, ...words]).values);

function secretFile(content: string, mode = 0o600): string {
  const path = join(folder, 'secret');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const SECRET = '0123456789abcdef';
const URL_GIVEN = 'https://user:password@hooks.example/token?key=1';

test('nobody is told unless a command or a URL is given', () => {
  expect(make().alerts).toEqual({ command: undefined, webhook: undefined, reorgDepth: 3 });
  expect(make('--alert-secret-file', '/x', '--alert-reorg-depth', '5').warnings).toEqual([
    '--alert-secret-file has no effect without --alert-webhook',
    '--alert-reorg-depth has no effect without --alert-command or --alert-webhook',
  ]);
});

test('every option is read, and nothing of the URL is shown', () => {
  const path = secretFile(`${SECRET}\n`);
  const { alerts, warnings, shownOptions } = make(
    ...['--alert-command', '/bin/x %s', '--alert-webhook', URL_GIVEN],
    ...['--alert-secret-file', path, '--alert-reorg-depth', '5'],
  );
  expect(alerts).toEqual({
    command: '/bin/x %s',
    webhook: { url: new URL(URL_GIVEN), secret: SECRET, isLocal: false },
    reorgDepth: 5,
  });
  expect(warnings).toEqual([]);
  expect(shownOptions.join(' ')).not.toMatch(/hooks|token|password/);
});

test.each([
  ['http://127.0.0.1:8080/', true],
  ['http://[::1]:8080/', true],
  ['https://localhost/', true],
  ['http://10.0.0.1/', false],
  ['https://hooks.example/', false],
])('%s is on this machine: %s', (url, isLocal) => {
  expect(make('--alert-webhook', url).alerts.webhook?.isLocal).toBe(isLocal);
  expect(make('--offline', '--alert-webhook', url).warnings).toEqual(
    isLocal ? [] : ['--alert-webhook: with --offline only a server on this machine is told'],
  );
});

test.each([
  'ftp://hooks.example/secret',
  'hooks.example/secret',
  'http://a:%zz@hooks.example/secret',
])('%s is refused, without showing it', (url) => {
  const read = () => make('--alert-webhook', url);
  expect(read).toThrow(/^Invalid alert-webhook: /);
  expect(read).not.toThrow(/hooks|secret/);
});

test.each([
  ['short', 0o600, 'must hold at least 16 characters'],
  [`${SECRET}\n${SECRET}\n`, 0o600, 'must hold one line'],
  [SECRET, 0o644, 'other users can read or change it'],
])('a secret file with %j and mode %i is refused', (content, mode, message) => {
  const path = secretFile(content, mode);
  const read = () => make('--alert-webhook', 'http://127.0.0.1/', '--alert-secret-file', path);
  expect(read).toThrow(`--alert-secret-file ${path}: `);
  expect(read).toThrow(message);
});
