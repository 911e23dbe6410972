/** @jest-environment node */
import { jest } from '@jest/globals';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { DATA_FILE } from './file-names.ts';

/** The code with which lock.mdb cannot be opened. */
let refusal: string | undefined;
let opened: string[] = [];

jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  openSync: (file: string, flags: string) => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    if (name === 'lock.mdb' && refusal !== undefined)
      throw Object.assign(new Error(`${refusal}: ${file}`), { code: refusal });
    opened.push(`${name} ${flags}`);
    return fs.openSync(file, flags);
  },
}));

const { openEnvironment } = await import('./environment.ts');
const { probeFiles } = await import('./probe-files.ts');

let path: string;
beforeEach(async () => {
  path = fs.mkdtempSync(join(tmpdir(), 'storage-probe-'));
  refusal = undefined;
  await environment().close();
  opened = [];
});
afterEach(() => fs.rmSync(path, { recursive: true }));

const environment = (directory = path, readOnly = false) =>
  openEnvironment({ path: directory, syncMode: 'fast', readOnly });
const probe = (readOnly: boolean, directory = path) => probeFiles(directory, DATA_FILE, readOnly);

/** Returns this process's locks on lock.mdb; undefined on a system that does not tell. */
function locks(): string[] | undefined {
  if (!fs.existsSync('/proc/locks')) return undefined;
  const { ino } = fs.statSync(join(path, 'lock.mdb'));
  return fs
    .readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
}

test('a reader needs no lock file on a read-only file system', () => {
  refusal = 'EROFS';
  expect(() => probe(true)).not.toThrow();
  expect(() => probe(false)).toThrow('EROFS');
});

test('a reader needs the permission to write the lock file elsewhere', () => {
  refusal = 'EACCES';
  expect(() => probe(true)).toThrow('EACCES');
});

test('the lock file of an open environment is left alone, by whatever path, until it is closed', async () => {
  const link = `${path}-link`;
  fs.symlinkSync(path, link);
  try {
    const writer = environment();
    const reader = environment(link, true);
    opened = [];
    probe(true);
    probe(false, link);
    await reader.close();
    probe(true, link);
    const expected = [...Array(4).fill('data.mdb r'), ...Array(4).fill('data.mdb a+')];
    expect(opened).toEqual([...expected, ...Array(4).fill('data.mdb r')]);
    await writer.close();
    opened = [];
    probe(true);
    expect(opened).toEqual(['lock.mdb a+', ...Array(3).fill('data.mdb r')]);
  } finally {
    fs.rmSync(link);
  }
});

test('an open environment keeps its locks', async () => {
  const writer = environment();
  const before = locks();
  if (before !== undefined) expect(before).not.toEqual([]);
  probe(true);
  probe(false);
  expect(locks()).toEqual(before);
  await writer.close();
});

test('an environment without its tables is not taken for open', async () => {
  const bare = join(path, 'bare');
  await open({ path: bare, noSubdir: false }).close();
  expect(() => environment(bare, true)).toThrow('missing');
  await new Promise((resolve) => setImmediate(resolve));
  opened = [];
  probe(true, bare);
  expect(opened).toContain('lock.mdb a+');
});
