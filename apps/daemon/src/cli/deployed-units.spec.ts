import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDaemonSettings, type DaemonSettings } from './daemon-settings.ts';
import { parseArguments } from './parse-arguments.ts';

const deployed = (path: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${path}`, import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'units-'));
  writeFileSync(join(folder, 'rpc-login'), 'user:password\n', { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the settings of a daemon that systemd starts by a unit, with a config file in the place of the unit's. */
function settingsOfUnit(unit: string, config: string): DaemonSettings {
  const [, command = ''] = /^ExecStart=\S+ (.*)$/m.exec(readFileSync(deployed(unit), 'utf8')) ?? [];
  const words = command
    .replace(/%[SLd]/g, folder)
    .replace(/%i/g, '1')
    .replace(/(--config-file) \S+/, `$1 ${config}`)
    .split(' ');
  return makeDaemonSettings(parseArguments(words).values);
}

test.each([
  ['fleet/monero-node@.service', 'fleet/node.conf'],
  ['systemd/monero-node.service', 'fleet/node.conf'],
  ['systemd/monero-node.service', 'debian/monero-node.conf'],
])('a node of %s with %s asks wallets for no login', (unit, config) => {
  const { rpcLogin, warnings } = settingsOfUnit(unit, deployed(config));
  expect(rpcLogin).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('all nodes of a fleet take the login of one file, if the config file names it', () => {
  const config = join(folder, 'node.conf');
  const text = readFileSync(deployed('fleet/node.conf'), 'utf8');
  writeFileSync(
    config,
    text.replace(/^#rpc-login-file=.*$/m, `rpc-login-file=${join(folder, 'rpc-login')}`),
  );
  for (const unit of ['fleet/monero-node@.service', 'systemd/monero-node.service']) {
    expect(settingsOfUnit(unit, config).rpcLogin).toMatchObject({ username: 'user' });
  }
});

test('a login at a port that is announced to strangers is warned of', () => {
  const words = ['--data-dir', folder, '--public-node', '--rpc-restricted-bind-port', '18089'];
  const warningsOf = (...more: string[]): readonly string[] =>
    makeDaemonSettings(parseArguments([...words, ...more]).values).warnings;
  expect(warningsOf()).toEqual([]);
  expect(warningsOf('--rpc-login', 'user:password')).toEqual([
    expect.stringContaining('strangers get 401'),
  ]);
});
