import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimPidFile, PidFileError, removePidFile } from './pid-file.ts';

/** Above the largest process id of any system. */
const NOBODY = 2 ** 30;

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pid-file-'));
  path = join(dir, 'daemon.pid');
});
afterEach(() => rmSync(dir, { recursive: true }));

test('holds the id of the process until that removes it', () => {
  claimPidFile(path);
  expect(readFileSync(path, 'utf8')).toBe(`${process.pid}\n`);
  removePidFile(path);
  expect(existsSync(path)).toBe(false);
  removePidFile(path);
});

test.each(['', '1\n', `${NOBODY}\n`, ` ${NOBODY}`])('one that holds %j is replaced', (content) => {
  writeFileSync(path, content);
  claimPidFile(path, 42);
  expect(readFileSync(path, 'utf8')).toBe('42\n');
});

test('one that names a running process is left alone', () => {
  writeFileSync(path, `${process.ppid}\n`);
  const claim = () => claimPidFile(path);
  expect(claim).toThrow(PidFileError);
  expect(claim).toThrow(`--pidfile ${path}: names process ${process.ppid}, which is running`);
  removePidFile(path);
  expect(readFileSync(path, 'utf8')).toBe(`${process.ppid}\n`);
});

test('what is no file for a process id is left alone', () => {
  const other = join(dir, 'other');
  writeFileSync(other, 'rpc-login=u:p\n');
  expect(() => claimPidFile(other)).toThrow('holds something else than a process id');
  symlinkSync(other, path);
  expect(() => claimPidFile(path)).toThrow('is a symbolic link');
  mkdirSync(join(dir, 'folder'));
  expect(() => claimPidFile(join(dir, 'folder'))).toThrow('is not a regular file');
  expect(() => claimPidFile(join(dir, 'absent', 'daemon.pid'))).toThrow('ENOENT');
  expect(readFileSync(other, 'utf8')).toBe('rpc-login=u:p\n');
});
