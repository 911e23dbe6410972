import { LEVELS, LogLevels, type Level } from './log-levels.ts';
import { LevelLogger } from './level-logger.ts';

const level = (name: Level) => LEVELS.indexOf(name);

describe('levels', () => {
  test('show warnings and global information by default', () => {
    const levels = new LogLevels();
    expect(levels.allows('global', level('INFO'))).toBe(true);
    expect(levels.allows('global', level('DEBUG'))).toBe(false);
    expect(levels.allows('blockchain', level('WARNING'))).toBe(true);
    expect(levels.allows('blockchain', level('INFO'))).toBe(false);
    expect(levels.allows('net.p2p', level('ERROR'))).toBe(false);
  });

  test('apply the last of several matching rules; stars are wildcards', () => {
    const levels = new LogLevels('*:ERROR,net.*:DEBUG,net.p2p:FATAL');
    expect(levels.allows('net.cn', level('DEBUG'))).toBe(true);
    expect(levels.allows('net.p2p', level('ERROR'))).toBe(false);
    expect(levels.allows('other', level('ERROR'))).toBe(true);
    levels.set('4');
    expect(levels.allows('net.p2p', level('TRACE'))).toBe(true);
    expect(new LogLevels('a:INFO').allows('b', level('FATAL'))).toBe(false);
  });

  test.each(['5', 'nonsense', 'a:LOUD', ':INFO', '7,a:INFO', '2,a', '+a:INFO,b'])(
    'refuse %s',
    (spec) => {
      expect(() => new LogLevels(spec)).toThrow(RangeError);
    },
  );
});

// Every row was recorded from monerod 0.18.0.0 (/set_log_categories), in this order.
test('changes have the same result as in monerod', () => {
  const level0 = new LogLevels('0').categories;
  const level1 = new LogLevels('1').categories;
  const levels = new LogLevels();
  const rows: [spec: string, categories: string][] = [
    ['', ''],
    ['0', level0],
    ['1', level1],
    ['5', level1],
    ['-1', level1],
    ['2,foo:ERROR', '*:DEBUG,foo:ERROR'],
    ['+bar:INFO', '*:DEBUG,foo:ERROR,bar:INFO'],
    ['-foo:ERROR', '*:DEBUG,,bar:INFO'],
    ['-bar:INFO,zzz', '*:DEBUG,,'],
    ['*:WARNING', '*:WARNING'],
    ['nonsense', 'nonsense'],
    ['a:LOUD', 'a:LOUD'],
    ['*:INFO,nonsense', '*:INFO,nonsense'],
    ['+nonsense', '*:INFO,nonsense,nonsense'],
    ['+', '*:INFO,nonsense,nonsense'],
    ['-', '*:INFO,nonsense,nonsense'],
    ['0,', `${level0},`],
    [' 1', level1],
    ['1 ', '1 '],
    ['7,foo:INFO', ',foo:INFO'],
    ['*:INFO , net:DEBUG', '*:INFO , net:DEBUG'],
    ['-*:INFO', ' , net:DEBUG'],
    ['a:INFO,b:DEBUG,c:TRACE', 'a:INFO,b:DEBUG,c:TRACE'],
    ['-b:DEBUG', 'a:INFO,,c:TRACE'],
    ['-b', 'a:INFO,,c:TRACE'],
    ['+:INFO', 'a:INFO,,c:TRACE,:INFO'],
  ];
  for (const [spec, categories] of rows) {
    levels.set(spec);
    expect([spec, levels.categories]).toEqual([spec, categories]);
  }
});

test('a change applies immediately', () => {
  const levels = new LogLevels();
  const info = (category: string): boolean => levels.allows(category, level('INFO'));
  expect(info('net.p2p')).toBe(false);
  levels.set('+net.p2p:info');
  expect(info('net.p2p')).toBe(true);
  levels.set('-net.p2p:info');
  expect(info('net.p2p')).toBe(false);
  levels.set('');
  expect(levels.allows('global', level('FATAL'))).toBe(false);
  levels.set('*:WARNING,a:LOUD');
  expect(levels.allows('a', level('WARNING'))).toBe(true);
});

test('the list of categories cannot grow without limit', () => {
  const levels = new LogLevels('a:INFO');
  for (let i = 0; i < 5; i++) levels.set(`+${'b:INFO,'.repeat(5000)}`);
  expect(levels.categories.length).toBeLessThanOrEqual(100_000);
});

test('lines hold time, level and category', () => {
  const lines: string[] = [];
  const logger = new LevelLogger(new LogLevels('2'), [{ write: (line) => lines.push(line) }]);
  logger.info('hello');
  logger.child('net.p2p').trace('hidden');
  logger.child('net.p2p').debug('shown');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\tI\tglobal\thello\n$/);
  expect(lines[1]).toContain('\tD\tnet.p2p\tshown');
});
