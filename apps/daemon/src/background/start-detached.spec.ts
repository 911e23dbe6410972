import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenChanged } from '../testing/when-changed.ts';
import { DetachError, startDetached } from './start-detached.ts';
import { markedEnvironment, takeMark } from './start-report.ts';

let dir: string;
let logFile: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'detached-'));
  logFile = join(dir, 'logs', 'log');
});
afterEach(() => rmSync(dir, { recursive: true }));

const start = (script: string, ...argv: string[]): Promise<number> => {
  const program = join(dir, 'program.mjs');
  writeFileSync(program, script);
  return startDetached({ program, argv, logFile });
};

test('leaves a started program running, with its standard error in the log', async () => {
  const done = join(dir, 'done');
  const unfinished = join(dir, 'unfinished');
  const pid = await start(
    `import { renameSync, writeFileSync } from 'node:fs';
     process.send({ started: true });
     process.disconnect();
     setTimeout(() => {
       process.stderr.write('last words');
       writeFileSync(${JSON.stringify(unfinished)}, String(process.pid) + process.argv[2]);
       renameSync(${JSON.stringify(unfinished)}, ${JSON.stringify(done)});
     }, 200);`,
    '--an-option',
  );
  await whenChanged(dir, () => existsSync(done) || undefined);
  expect(readFileSync(done, 'utf8')).toBe(`${pid}--an-option`);
  expect(readFileSync(logFile, 'utf8')).toContain('last words');
});

test.each([
  ["process.send({ failed: 'no room' }, () => process.exit(1));", 'no room'],
  ['process.exit(7);', 'ended with status 7 before it had started, see '],
  ["process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 9999);", 'ended by SIGKILL'],
])('reports why the program failed: %s', async (script, message) => {
  const failing = start(script);
  await expect(failing).rejects.toThrow(DetachError);
  await expect(failing).rejects.toThrow(message);
});

test('stops the program if the wait is interrupted', async () => {
  const ready = join(dir, 'ready');
  const starting = start(
    `import { writeFileSync } from 'node:fs';
     process.on('SIGTERM', () => process.exit(0));
     setTimeout(() => {}, 60_000);
     writeFileSync(${JSON.stringify(ready)}, '');`,
  );
  const outcome = expect(starting).rejects.toThrow('Interrupted');
  await whenChanged(dir, () => existsSync(ready) || undefined);
  process.emit('SIGINT');
  await outcome;
});

test('takes the mark of the background process once', () => {
  const environment = markedEnvironment({ PATH: '/bin' });
  expect(takeMark(environment)).toBe(true);
  expect(environment).toEqual({ PATH: '/bin' });
  expect(takeMark(environment)).toBe(false);
});
