import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAddress } from '@monero-node/codec';
import { makeDaemonSettings, type DaemonSettings } from './daemon-settings.ts';
import { parseArguments } from './parse-arguments.ts';

const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const SUBADDRESS =
  '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H';
const PORT = ['--stratum-bind-port', '3333'];
const PAID = [...PORT, '--stratum-address', ADDRESS];

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stratum-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const make = (...argv: string[]): DaemonSettings =>
  makeDaemonSettings(parseArguments(['--data-dir', dir, ...argv]).values);

/** Writes a password file with a mode; returns its path. */
function passwordFile(text: string, mode = 0o600): string {
  const path = join(dir, 'password');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test('rigs are served only at a given port, on loopback', () => {
  expect(make().stratum).toBeUndefined();
  const { stratum, warnings } = make(...PAID);
  expect(stratum).toMatchObject({
    bindIp: '127.0.0.1',
    bindPort: 3333,
    anyAddress: false,
    password: undefined,
    tls: false,
    address: { spendKey: parseAddress(ADDRESS).spendKey },
  });
  expect(warnings).toEqual([]);
});

test('reads every option', () => {
  const argv = [
    ...['--stratum-bind-ip', '0.0.0.0', '--stratum-password', 'secret'],
    ...['--stratum-any-address', '--stratum-tls'],
  ];
  expect(make(...PORT, ...argv).stratum).toEqual({
    bindIp: '0.0.0.0',
    bindPort: 3333,
    address: undefined,
    anyAddress: true,
    password: 'secret',
    tls: true,
  });
  expect(make(...argv).warnings).toHaveLength(4);
});

test('reads the password from a file that others cannot read', () => {
  const file = ['--stratum-password-file', passwordFile('from a file\n')];
  expect(make(...PAID, ...file).stratum?.password).toBe('from a file');
  expect(() => make(...PAID, ...file, '--stratum-password', 'x')).toThrow('together');
  chmodSync(join(dir, 'password'), 0o644);
  expect(() => make(...PAID, ...file)).toThrow('chmod 600');
});

test.each(['', '\n', 'two\nlines\n'])('a password file with %j is refused', (text) => {
  const file = ['--stratum-password-file', passwordFile(text)];
  expect(() => make(...PAID, ...file)).toThrow('must hold one line');
});

test.each([
  [PORT, 'needs --stratum-address'],
  [[...PORT, '--stratum-address', 'x'], 'is not an address of mainnet'],
  [['--testnet', ...PAID], 'is not an address of testnet'],
  [[...PORT, '--stratum-address', SUBADDRESS], 'subaddress'],
  [[...PAID, '--stratum-password', ''], 'cannot be empty'],
  [[...PAID, '--stratum-tls', '--rpc-ssl', 'disabled'], 'needs --rpc-ssl'],
])('%j is refused', (argv, message) => {
  expect(() => make(...argv)).toThrow(message);
});
