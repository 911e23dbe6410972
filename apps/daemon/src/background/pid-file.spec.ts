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
const UNUSED_PID = 2 ** 30;

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pid-file-'));
  path = join(dir, 'daemon.pid');
});
afterEach(() => rmSync(dir, { recursive: true }));

test('holds the id of the process until the process removes it', () => {
  claimPidFile(path);
  expect(readFileSync(path, 'utf8')).toBe(`${process.pid}\n`);
  removePidFile(path);
  expect(existsSync(path)).toBe(false);
  removePidFile(path);
});

test.each(['', '1\n', `${UNUSED_PID}\n`, ` ${UNUSED_PID}`])(
  'replaces a file that holds %j',
  (content) => {
    writeFileSync(path, content);
    claimPidFile(path, 42);
    expect(readFileSync(path, 'utf8')).toBe('42\n');
  },
);

test('does not replace a file that names a running process', () => {
  writeFileSync(path, `${process.ppid}\n`);
  const claim = () => claimPidFile(path);
  expect(claim).toThrow(PidFileError);
  expect(claim).toThrow(`--pidfile ${path}: names process ${process.ppid}, which is running`);
  removePidFile(path);
  expect(readFileSync(path, 'utf8')).toBe(`${process.ppid}\n`);
});

test('does not replace files with other content, links or folders', () => {
  const other = join(dir, 'other');
  writeFileSync(other, 'rpc-login=u:p\n');
  expect(() => claimPidFile(other)).toThrow('holds something other than a process id');
  symlinkSync(other, path);
  expect(() => claimPidFile(path)).toThrow('is a symbolic link');
  mkdirSync(join(dir, 'folder'));
  expect(() => claimPidFile(join(dir, 'folder'))).toThrow('is not a regular file');
  expect(() => claimPidFile(join(dir, 'absent', 'daemon.pid'))).toThrow('ENOENT');
  expect(readFileSync(other, 'utf8')).toBe('rpc-login=u:p\n');
});
