import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shownOptions } from '../cli/given-options.ts';
import { writeCrashReport, type CrashFacts } from './crash-report.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'crash-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const FACTS: CrashFacts = {
  version: 'monero-node (v1.2.3)',
  options: ['--regtest'],
  error: 'Error: oh no\n    at somewhere (file.ts:1:2)',
  log: ['first line', 'last line'],
};

test('a crash report holds the version, the options, the stack, the memory and the log', () => {
  const path = writeCrashReport(join(dir, 'data'), FACTS);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^monero-node \(v1\.2\.3\) ended because of an error/);
  expect(text).toMatch(/^time: +\d{4}-.*Z, after \d+ s$/m);
  expect(text).toMatch(/^memory: +rss \d+ MiB, heapTotal \d+ MiB/m);
  expect(text).toMatch(/^options: --regtest$/m);
  expect(text).toContain('Error: oh no\n    at somewhere (file.ts:1:2)\n');
  expect(text).toMatch(/first line\nlast line\n$/);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('five crash reports are kept, and other files are left alone', () => {
  writeFileSync(join(dir, 'crash-notes.txt'), '');
  for (let day = 1; day <= 9; day++) {
    writeCrashReport(dir, FACTS, new Date(Date.UTC(2026, 0, day)));
  }
  const names = readdirSync(dir).sort();
  expect(names).toHaveLength(6);
  expect(names[0]).toBe('crash-2026-01-05T00-00-00-000.txt');
  expect(names).toContain('crash-notes.txt');
});

test('the error is cut, because it may quote a large message of a peer', () => {
  const path = writeCrashReport(dir, { ...FACTS, error: 'x'.repeat(10 ** 6) });
  expect(statSync(path).size).toBeLessThan(60_000);
});

test('options are shown without the values that may be secret', () => {
  const values = new Map<string, boolean | number | string | string[]>([
    ['regtest', true],
    ['max-concurrency', 2],
    ['log-level', '1'],
    ['rpc-login', 'user:password'],
    ['block-notify', '/bin/program --token abc'],
    ['add-priority-node', ['secret.onion:18080']],
    ['not-an-option', 'word'],
  ]);
  expect(shownOptions(values)).toEqual([
    '--regtest',
    '--max-concurrency 2',
    '--log-level 1',
    '--rpc-login (hidden)',
    '--block-notify (hidden)',
    '--add-priority-node (hidden)',
    '--not-an-option (hidden)',
  ]);
});
