import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogLevels } from './log-levels.ts';
import { openLog } from './open-log.ts';

const open = (path: string) =>
  openLog(new LogLevels(), { path, maxSize: 0, maxFiles: 0 }, { write: () => undefined });

test('makes the folder of the log file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'open-log-'));
  open(join(dir, 'a', 'b', 'node.log')).close();
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
