import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

/** Writes a line and waits for what it causes. */
async function written(file: LogFile, line: string): Promise<void> {
  file.write(line);
  await file.flush();
}

const content = (name: string): string => readFileSync(join(dir, 'logs', name), 'utf8');

test('the log file is rotated at its size limit and old files are removed', async () => {
  const file = new LogFile({ path, maxSize: 10, maxFiles: 2 });
  for (let i = 0; i < 5; i++) await written(file, `line number ${i}\n`);
  file.write('end');
  await file.close();
  expect(rotated().map(content)).toEqual(['line number 3\n', 'line number 4\n']);
  expect(content('a.log')).toBe('end');
});

test('no line is lost when files are rotated within one millisecond', async () => {
  const file = new LogFile({ path, maxSize: 1, maxFiles: 0 });
  for (let i = 0; i < 100; i++) await written(file, `${i}\n`);
  await file.close();
  const lines = rotated().map(content);
  expect(lines).toHaveLength(100);
  expect(new Set(lines).size).toBe(100);
});

test('a size limit of 0 never rotates', async () => {
  const file = new LogFile({ path, maxSize: 0, maxFiles: 0 });
  for (let i = 0; i < 10; i++) file.write(`${i}\n`);
  await file.close();
  expect(rotated()).toEqual([]);
  expect(content('a.log')).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
});

test('a failed rotation neither writes to nor closes the descriptor of somebody else', async () => {
  const troubles: string[] = [];
  const file = new LogFile({ path, maxSize: 10, maxFiles: 2 }, (trouble) => troubles.push(trouble));
  rmSync(join(dir, 'logs'), { recursive: true });
  await written(file, 'a line that makes the log rotate\n');
  // These take the numbers of all descriptors that the log has given up.
  const others = Array.from({ length: 8 }, (_, i) => openSync(join(dir, `other-${i}`), 'w+'));
  for (let i = 0; i < 10; i++) await written(file, 'more lines, each above the limit\n');
  await file.close();
  file.write('after the end');
  await file.close();
  for (const other of others) {
    expect(fstatSync(other).size).toBe(0);
    closeSync(other);
  }
  expect(troubles).toEqual([
    expect.stringMatching(/^cannot rotate the log file .*a\.log: ENOENT: no such file/),
  ]);
});

test('a log that could not be rotated goes on in the old file, and rotates when it can', async () => {
  const troubles: string[] = [];
  const file = new LogFile({ path, maxSize: 20, maxFiles: 9 }, (trouble) => troubles.push(trouble));
  const aside = join(dir, 'aside');
  renameSync(join(dir, 'logs'), aside);
  await written(file, 'this line is too long\n');
  await written(file, 'and\n');
  expect(readFileSync(join(aside, 'a.log'), 'utf8')).toBe('this line is too long\nand\n');
  renameSync(aside, join(dir, 'logs'));
  await written(file, 'this one rotates it\n');
  file.write('new\n');
  await file.close();
  expect(rotated().map(content)).toEqual(['this line is too long\nand\nthis one rotates it\n']);
  expect(content('a.log')).toBe('new\n');
  expect(troubles).toHaveLength(1);
});

const onFullDisk = existsSync('/dev/full') ? test : test.skip;
onFullDisk('a full disk is reported once and throws nothing', async () => {
  const troubles: string[] = [];
  const options = { path: '/dev/full', maxSize: 0, maxFiles: 0 };
  const file = new LogFile(options, (trouble) => {
    troubles.push(trouble);
    file.write('the log may report its own trouble');
  });
  for (let i = 0; i < 3; i++) await written(file, 'line\n');
  await file.close();
  expect(troubles).toEqual([
    expect.stringMatching(/^cannot write the log file \/dev\/full: ENOSPC: no space left/),
  ]);
});

test('a deleted log begins anew when its limit is reached', async () => {
  const file = new LogFile({ path, maxSize: 10, maxFiles: 2 });
  rmSync(path);
  await written(file, 'this goes nowhere\n');
  file.write('here\n');
  await file.close();
  expect(content('a.log')).toBe('here\n');
  expect(rotated()).toEqual([]);
});

test('only rotated files of this log are removed', async () => {
  for (const name of ['a.log-notes', 'a.log-2020-01-01', 'a.log.gz'])
    writeFileSync(join(dir, 'logs', name), '');
  writeFileSync(join(dir, 'logs', 'a.log-2020-01-01T00-00-00-000'), 'old');
  const file = new LogFile({ path, maxSize: 4, maxFiles: 1 });
  file.write('new\n');
  await file.close();
  expect(rotated()).toEqual(['a.log-2020-01-01', expect.any(String), 'a.log-notes']);
  expect(content(rotated()[1] ?? '')).toBe('new\n');
});

const withFifo = process.platform === 'linux' ? describe : describe.skip;
withFifo('a disk that takes nothing', () => {
  /** Opened for both directions, because opening for one waits for the other. A pipe takes 64 KiB before writes wait. */
  let pipe: number;
  let troubles: string[];
  let file: LogFile;
  beforeEach(() => {
    execFileSync('mkfifo', [path]);
    pipe = openSync(path, 'r+');
    troubles = [];
    file = new LogFile({ path, maxSize: 0, maxFiles: 0 }, (trouble) => troubles.push(trouble));
  });
  afterEach(() => closeSync(pipe));

  /** Reads what was written, until there were `length` bytes of it. */
  async function drain(length: number): Promise<void> {
    const buffer = Buffer.alloc(2 ** 16);
    for (let done = 0; done < length;)
      done += (await promisify(read)(pipe, buffer, 0, buffer.length, null)).bytesRead;
  }

  test('does not hold the event loop', async () => {
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 256; i++) file.write(line);
    // Reached at all, because another thread waits for the pipe.
    const closed = file.close();
    await drain(256 * 1024);
    await closed;
    expect(troubles).toEqual([]);
  });

  test('does not fill the memory, and the number of lost lines is reported', async () => {
    const line = `${'x'.repeat(2 ** 20 - 1)}\n`;
    for (let i = 0; i < 12; i++) file.write(line);
    const closed = file.close();
    await drain(8 * 2 ** 20);
    await closed;
    expect(troubles).toEqual([expect.stringMatching(/^4 lines are missing in the log file/)]);
  });
});

test('a log that another program has renamed goes on in a new file once it is reopened', async () => {
  const file = new LogFile({ path, maxSize: 0, maxFiles: 0 });
  file.write('old\n');
  renameSync(path, `${path}.1`);
  await written(file, 'still old\n');
  expect(await file.reopen()).toBe(true);
  file.write('new\n');
  await file.close();
  expect(content('a.log.1')).toBe('old\nstill old\n');
  expect(content('a.log')).toBe('new\n');
});

test('a log that cannot be reopened goes on in the old file and says so', async () => {
  const troubles: string[] = [];
  const file = new LogFile({ path, maxSize: 0, maxFiles: 0 }, (trouble) => troubles.push(trouble));
  const aside = join(dir, 'aside');
  renameSync(join(dir, 'logs'), aside);
  expect(await file.reopen()).toBe(false);
  file.write('line\n');
  await file.close();
  expect(readFileSync(join(aside, 'a.log'), 'utf8')).toBe('line\n');
  expect(troubles).toEqual([expect.stringMatching(/^cannot reopen the log file .*ENOENT/)]);
});

describe('a log file that was removed', () => {
  const open = (said: string[]) =>
    new LogFile({ path, maxSize: 0, maxFiles: 0 }, (sentence) => said.push(sentence));

  test('is made again with its folder, which is said once', async () => {
    const said: string[] = [];
    const file = open(said);
    await written(file, 'before\n');
    expect(await file.restore()).toBeUndefined();
    expect(said).toEqual([]);
    rmSync(join(dir, 'logs'), { recursive: true });
    expect(await file.restore()).toBeUndefined();
    expect(await file.restore()).toBeUndefined();
    await written(file, 'after\n');
    await file.close();
    expect(said).toEqual([`the log file ${path} had been removed; a new one was made`]);
    expect(content('a.log')).toBe('after\n');
  });

  test('and cannot be made again is reported with the reason and what to do', async () => {
    const said: string[] = [];
    const file = open(said);
    rmSync(join(dir, 'logs'), { recursive: true });
    writeFileSync(join(dir, 'logs'), '');
    const sentence = await file.restore();
    expect(sentence).toMatch(
      /^The log file .*a\.log has been removed and cannot be made again: E[A-Z]+.*Make its folder for the user of this node and restart the node/,
    );
    rmSync(join(dir, 'logs'));
    expect(await file.restore()).toBeUndefined();
    await written(file, 'after\n');
    await file.close();
    expect(content('a.log')).toBe('after\n');
    expect(await file.restore()).toBeUndefined();
  });
});
