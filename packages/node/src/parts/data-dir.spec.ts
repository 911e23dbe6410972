import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataDir } from './data-dir.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'data-dir-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('makes a data directory, and those above it, for the owner only', () => {
  makeDataDir(join(dir, 'data', 'stagenet'));
  expect([modeOf(join(dir, 'data')), modeOf(join(dir, 'data', 'stagenet'))]).toEqual([
    '700',
    '700',
  ]);
});

test('leaves the permissions of an existing directory', () => {
  chmodSync(dir, 0o755);
  makeDataDir(dir);
  expect(modeOf(dir)).toBe('755');
});

test('names the option when it fails', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(() => makeDataDir(join(dir, 'file', 'data'))).toThrow('(--data-dir)');
});
