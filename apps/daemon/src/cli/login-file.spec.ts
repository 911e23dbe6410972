import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLoginFile, readLogin } from './rpc-login.ts';
import { OptionReader } from './given-options.ts';
import { UsageError } from './usage-error.ts';
import { parseArguments } from './parse-arguments.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'login-'));
  path = join(dir, 'rpc-login');
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(content: string, mode = 0o600): void {
  writeFileSync(path, content);
  chmodSync(path, mode);
}

const refusal = (): string => {
  try {
    readLoginFile(path);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'was accepted';
};

test.each([
  ['user:pass\n', 'user', 'pass'],
  ['user:pass', 'user', 'pass'],
  ['user:p:a s \r\n', 'user', 'p:a s '],
])('reads %j', (content, username, password) => {
  for (const mode of [0o600, 0o400, 0o440]) {
    write(content, mode);
    expect(readLoginFile(path)).toEqual({ username, password });
  }
});

test.each([
  ['', 'is empty'],
  ['\n', 'is empty'],
  ['user\n', 'must hold one line, USER:PASSWORD'],
  ['user:\n', 'has no password after the colon'],
  [':pass\n', 'must hold one line, USER:PASSWORD'],
  ['user:pass\nother:pass\n', 'must hold one line, USER:PASSWORD'],
  [`user:${'x'.repeat(5000)}`, 'is longer than 4096 bytes'],
])('refuses a file that holds %j', (content, why) => {
  write(content);
  expect(refusal()).toContain(`--rpc-login-file ${path}: ${why}`);
});

test.each(['604', '602', '620', '644'])('refuses a file with mode %s', (mode) => {
  write('user:pass\n', parseInt(mode, 8));
  expect(refusal()).toContain(`other users can read or change it (mode ${mode})`);
});

test('refuses folders, pipes and missing files', () => {
  expect(refusal()).toContain('ENOENT');
  execFileSync('mkfifo', ['-m', '600', path]);
  expect(refusal()).toContain('is not a regular file');
  path = dir;
  expect(refusal()).toContain('is a directory');
});

test('is read for --rpc-login-file, before the environment and never with --rpc-login', () => {
  write('user:pass\n');
  const login = (...argv: string[]) =>
    readLogin(new OptionReader(parseArguments(argv).values), 'other:word');
  expect(login('--rpc-login-file', path)).toEqual({ username: 'user', password: 'pass' });
  expect(() => login('--rpc-login-file', path, '--rpc-login', 'a:b')).toThrow('given together');
});
