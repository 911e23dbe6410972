import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PassThrough } from 'node:stream';
import { readBuffered } from '@monero-node/base/testing';
import { Terminal } from '../terminal/terminal.ts';
import { FakeScreen } from '../testing/fake-screen.ts';
import { LogLevels } from './log-levels.ts';
import { openLog } from './open-log.ts';

const silent = () => new Terminal(new PassThrough());
const open = (path: string) =>
  openLog(
    new LogLevels(),
    { path, maxSize: 0, maxFiles: 0 },
    { terminal: silent(), format: 'text' },
  );

test('makes the folder of the log file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'open-log-'));
  await open(join(dir, 'a', 'b', 'node.log')).close();
  expect(existsSync(join(dir, 'a', 'b', 'node.log'))).toBe(true);
  rmSync(dir, { recursive: true });
});

test('names the path, the option and the cause when the file cannot be opened', () => {
  const dir = mkdtempSync(join(tmpdir(), 'open-log-'));
  expect(() => open(dir)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(`^cannot open the log file ${dir} \\(--log-file\\): EISDIR`),
    }),
  );
  rmSync(dir, { recursive: true });
});

const whereProc = existsSync('/proc/self') ? test : test.skip;
whereProc('does not hang where no folder can be made', () => {
  expect(() => open('/proc/nothing/below/node.log')).toThrow(/ENOENT/);
});

test('JSON is written to the file and to a pipe, but not to a terminal', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'open-log-'));
  const path = join(dir, 'node.log');
  const pipe = new PassThrough();
  const screen = new FakeScreen();
  for (const stream of [pipe, screen]) {
    const terminal = new Terminal(stream);
    const log = openLog(
      new LogLevels(),
      { path, maxSize: 0, maxFiles: 0 },
      { terminal, format: 'json' },
    );
    log.logger.warn('of the node');
    await log.close();
  }
  const entry = {
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: 'WARNING',
    category: 'global',
    message: 'of the node',
  };
  const entries = (text: string): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(entries(readBuffered(pipe))).toEqual([entry]);
  expect(entries(readFileSync(path, 'utf8'))).toEqual([entry, entry]);
  expect(stripVTControlCharacters(screen.lines[0] ?? '')).toMatch(
    /^\d{4}-.*\tW\tglobal\tof the node$/,
  );
  rmSync(dir, { recursive: true });
});
