import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'folders-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('makes a folder and those above it, with the mode', () => {
  const path = join(dir, 'a', 'b', 'c');
  makeFolder(path, 0o700);
  makeFolder(path);
  for (const made of [path, join(dir, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

test('a file in the way is an error', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(() => makeFolder(join(dir, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(dir, 'file', 'below'))).toThrow('ENOTDIR');
});

const whereProc = existsSync('/proc/self') ? test : test.skip;
whereProc('returns with an error where nothing can be made', () => {
  expect(() => makeFolder('/proc/nothing/below/it')).toThrow('ENOENT');
});
