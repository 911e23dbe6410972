import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDaemonSettings } from './daemon-settings.ts';
import { parseArguments } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'regtest-forks-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const networkOf = (...argv: string[]) =>
  makeDaemonSettings(parseArguments(['--data-dir', dir, ...argv]).values).network;

/** Writes a file for --hard-forks and returns its path. */
function fileOf(forks: unknown): string {
  const file = join(dir, 'forks.json');
  writeFileSync(file, JSON.stringify(forks));
  return file;
}

test('names the same forks as a file of --hard-forks', () => {
  const listed = networkOf('--regtest', '--regtest-forks', '16:1,17:40,18:60');
  const forks = [
    { version: 1, height: 0, time: 0 },
    { version: 16, height: 1, time: 0 },
    { version: 17, height: 40, time: 0 },
    { version: 18, height: 60, time: 0 },
  ];
  expect(listed).toEqual(networkOf('--regtest', '--hard-forks', fileOf(forks)));
  expect(listed.hardForks).toEqual(forks);
});

test('combines with a fixed difficulty', () => {
  const { fixedDifficulty, hardForks } = networkOf(
    ...['--regtest', '--fixed-difficulty', '3', '--regtest-forks', '18:1'],
  );
  expect([fixedDifficulty, hardForks.length]).toEqual([3n, 2]);
});

test.each([
  [['--regtest-forks', '18:1'], '--regtest-forks needs --regtest'],
  [['--stagenet', '--regtest-forks', '18:1'], '--regtest-forks needs --regtest'],
  [['--regtest', '--regtest-forks', '19:1'], 'Invalid --regtest-forks: there is no version 19'],
  [['--regtest', '--regtest-forks', '17:4,16:9'], 'version 16 at 9 must come after'],
  [['--regtest', '--regtest-forks', '18'], '"18" is not a version and a height such as 16:1'],
  [['--regtest', '--regtest-forks', '18:1', '--hard-forks', 'f'], 'give one of them'],
])('refuses %j', (argv, message) => {
  expect(() => networkOf(...argv)).toThrow(UsageError);
  expect(() => networkOf(...argv)).toThrow(message);
});
