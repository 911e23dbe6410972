import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEVELS, LogLevels, type Level } from './levels.ts';
import { LogFile } from './log-file.ts';
import { LevelLogger } from './logger.ts';

const level = (name: Level) => LEVELS.indexOf(name);

describe('levels', () => {
  test('the default shows what people should see and warnings', () => {
    const levels = new LogLevels();
    expect(levels.allows('global', level('INFO'))).toBe(true);
    expect(levels.allows('global', level('DEBUG'))).toBe(false);
    expect(levels.allows('blockchain', level('WARNING'))).toBe(true);
    expect(levels.allows('blockchain', level('INFO'))).toBe(false);
    expect(levels.allows('net.p2p', level('ERROR'))).toBe(false);
  });

  test('of several rules that fit the last counts; stars match', () => {
    const levels = new LogLevels('*:ERROR,net.*:DEBUG,net.p2p:FATAL');
    expect(levels.allows('net.cn', level('DEBUG'))).toBe(true);
    expect(levels.allows('net.p2p', level('ERROR'))).toBe(false);
    expect(levels.allows('other', level('ERROR'))).toBe(true);
    levels.set('4');
    expect(levels.allows('net.p2p', level('TRACE'))).toBe(true);
    expect(new LogLevels('a:INFO').allows('b', level('FATAL'))).toBe(false);
  });

  test.each(['5', 'nonsense', 'a:LOUD', ':INFO'])('%s is refused', (spec) => {
    expect(() => new LogLevels(spec)).toThrow(RangeError);
  });
});

test('lines carry time, level and category', () => {
  const lines: string[] = [];
  const logger = new LevelLogger(new LogLevels('2'), [{ write: (line) => lines.push(line) }]);
  logger.info('hello');
  logger.child('net.p2p').trace('hidden');
  logger.child('net.p2p').debug('shown');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\tI\tglobal\thello\n$/);
  expect(lines[1]).toContain('\tD\tnet.p2p\tshown');
});

test('the log file is put aside when it has grown and old ones are removed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'log-'));
  const file = new LogFile({ path: join(dir, 'a.log'), maxSize: 10, maxFiles: 2 });
  for (let i = 0; i < 5; i++) {
    file.write(`line number ${i}\n`);
    // Files put aside are named by the millisecond.
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  file.write('end');
  file.close();
  const old = readdirSync(dir).filter((name) => name.startsWith('a.log-'));
  expect(old).toHaveLength(2);
  expect(readFileSync(join(dir, 'a.log'), 'utf8')).toBe('end');
  rmSync(dir, { recursive: true });
});
