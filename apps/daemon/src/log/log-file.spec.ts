import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from './log-file.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-'));
  path = join(dir, 'logs', 'a.log');
  mkdirSync(join(dir, 'logs'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const rotated = (): string[] =>
  readdirSync(join(dir, 'logs'))
    .filter((name) => name.startsWith('a.log-'))
    .sort();
const content = (name: string): string => readFileSync(join(dir, 'logs', name), 'utf8');

test('the log file is rotated at its size limit and old files are removed', () => {
  const file = new LogFile({ path, maxSize: 10, maxFiles: 2 });
  for (let i = 0; i < 5; i++) file.write(`line number ${i}\n`);
  file.write('end');
  file.close();
  expect(rotated().map(content)).toEqual(['line number 3\n', 'line number 4\n']);
  expect(content('a.log')).toBe('end');
});

test('row 11: no line is lost when files are rotated within one millisecond', () => {
  const file = new LogFile({ path, maxSize: 1, maxFiles: 0 });
  for (let i = 0; i < 100; i++) file.write(`${i}\n`);
  file.close();
  const lines = rotated().map(content);
  expect(lines).toHaveLength(100);
  expect(new Set(lines).size).toBe(100);
});

test('row 11: a size limit of 0 never rotates', () => {
  const file = new LogFile({ path, maxSize: 0, maxFiles: 0 });
  for (let i = 0; i < 10; i++) file.write(`${i}\n`);
  file.close();
  expect(rotated()).toEqual([]);
  expect(content('a.log')).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
});

test('row 11: a failed rotation neither writes to nor closes the descriptor of somebody else', () => {
  const troubles: string[] = [];
  const file = new LogFile({ path, maxSize: 10, maxFiles: 2 }, (trouble) => troubles.push(trouble));
  rmSync(join(dir, 'logs'), { recursive: true });
  file.write('a line that makes the log rotate\n');
  // These take the numbers of all descriptors that the log has given up.
  const others = Array.from({ length: 8 }, (_, i) => openSync(join(dir, `other-${i}`), 'w+'));
  for (let i = 0; i < 10; i++) file.write('more lines, each above the limit\n');
  file.close();
  file.write('after the end');
  file.close();
  for (const other of others) {
    expect(fstatSync(other).size).toBe(0);
    closeSync(other);
  }
  expect(troubles).toEqual([
    expect.stringMatching(/^cannot rotate the log file .*a\.log: ENOENT: no such file/),
  ]);
});

test('row 11: a log that could not be rotated goes on in the old file, and rotates when it can', () => {
  const troubles: string[] = [];
  const file = new LogFile({ path, maxSize: 20, maxFiles: 9 }, (trouble) => troubles.push(trouble));
  const aside = join(dir, 'aside');
  renameSync(join(dir, 'logs'), aside);
  file.write('this line is too long\n');
  file.write('and\n');
  expect(readFileSync(join(aside, 'a.log'), 'utf8')).toBe('this line is too long\nand\n');
  renameSync(aside, join(dir, 'logs'));
  file.write('this one rotates it\n');
  file.write('new\n');
  file.close();
  expect(rotated().map(content)).toEqual(['this line is too long\nand\nthis one rotates it\n']);
  expect(content('a.log')).toBe('new\n');
  expect(troubles).toHaveLength(1);
});

const onFullDisk = existsSync('/dev/full') ? test : test.skip;
onFullDisk('row 11: a full disk is reported once and throws nothing', () => {
  const troubles: string[] = [];
  const options = { path: '/dev/full', maxSize: 0, maxFiles: 0 };
  const file = new LogFile(options, (trouble) => {
    troubles.push(trouble);
    file.write('the log may report its own trouble');
  });
  for (let i = 0; i < 3; i++) file.write('line\n');
  file.close();
  expect(troubles).toEqual([
    expect.stringMatching(/^cannot write the log file \/dev\/full: ENOSPC: no space left/),
  ]);
});

test('row 11: a deleted log begins anew when its limit is reached', () => {
  const file = new LogFile({ path, maxSize: 10, maxFiles: 2 });
  rmSync(path);
  file.write('this goes nowhere\n');
  file.write('here\n');
  file.close();
  expect(content('a.log')).toBe('here\n');
  expect(rotated()).toEqual([]);
});

test('row 11: only rotated files of this log are removed', () => {
  for (const name of ['a.log-notes', 'a.log-2020-01-01', 'a.log.gz'])
    writeFileSync(join(dir, 'logs', name), '');
  writeFileSync(join(dir, 'logs', 'a.log-2020-01-01T00-00-00-000'), 'old');
  const file = new LogFile({ path, maxSize: 4, maxFiles: 1 });
  file.write('new\n');
  file.close();
  expect(rotated()).toEqual(['a.log-2020-01-01', expect.any(String), 'a.log-notes']);
  expect(content(rotated()[1] ?? '')).toBe('new\n');
});

test('a log that another program has renamed goes on in a new file once it is reopened', () => {
  const file = new LogFile({ path, maxSize: 0, maxFiles: 0 });
  file.write('old\n');
  renameSync(path, `${path}.1`);
  file.write('still old\n');
  expect(file.reopen()).toBe(true);
  file.write('new\n');
  file.close();
  expect(content('a.log.1')).toBe('old\nstill old\n');
  expect(content('a.log')).toBe('new\n');
});

test('a log that cannot be reopened goes on in the old file and says so', () => {
  const troubles: string[] = [];
  const file = new LogFile({ path, maxSize: 0, maxFiles: 0 }, (trouble) => troubles.push(trouble));
  const aside = join(dir, 'aside');
  renameSync(join(dir, 'logs'), aside);
  expect(file.reopen()).toBe(false);
  file.write('line\n');
  file.close();
  expect(readFileSync(join(aside, 'a.log'), 'utf8')).toBe('line\n');
  expect(troubles).toEqual([expect.stringMatching(/^cannot reopen the log file .*ENOENT/)]);
});
