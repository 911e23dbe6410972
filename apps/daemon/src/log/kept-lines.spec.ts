import { LineCounts, NotableLines } from './kept-lines.ts';
import { LevelLogger } from './level-logger.ts';
import { LogLevels } from './log-levels.ts';

test('only the lines that are written count', () => {
  const lines = new LineCounts();
  const logger = new LevelLogger(new LogLevels('*:WARNING,loud:TRACE'), [lines]);
  logger.error('a');
  logger.error('b');
  logger.warn('c');
  logger.info('not written');
  logger.child('loud').trace('d');
  expect([...lines.counts]).toEqual([
    ...[
      ['FATAL', 0],
      ['ERROR', 2],
      ['WARNING', 1],
      ['INFO', 0],
      ['DEBUG', 0],
      ['TRACE', 1],
    ],
  ]);
});

function setup() {
  const lines = new NotableLines(100);
  const logger = new LevelLogger(new LogLevels('*:TRACE'), [lines]);
  return { lines, logger };
}

test('warnings and errors of any category are kept, and the main events', () => {
  const { lines, logger } = setup();
  logger.info('started');
  logger.debug('detail');
  logger.child('net.p2p').info('a peer');
  logger.child('net.p2p').warn('a warning');
  logger.child('net.p2p').error('an error');
  const kept = lines.after(0);
  expect(kept.map(({ level, category, text }) => [level, category, text])).toEqual([
    ['INFO', 'global', 'started'],
    ['WARNING', 'net.p2p', 'a warning'],
    ['ERROR', 'net.p2p', 'an error'],
  ]);
  expect(kept.every(({ time }) => Math.abs(time - Date.now()) < 60_000)).toBe(true);
});

test('only what is new is returned', () => {
  const { lines, logger } = setup();
  logger.warn('a');
  const { newest } = lines;
  logger.warn('b');
  expect(lines.after(newest).map(({ text }) => text)).toEqual(['b']);
  expect(lines.newest).toBe(2);
});

test('lines and their lengths are bounded', () => {
  const { lines, logger } = setup();
  for (let i = 0; i < 250; i++) logger.warn(`${i} ${'x'.repeat(5000)}`);
  const kept = lines.after(0);
  expect(kept).toHaveLength(100);
  expect(kept[0]).toMatchObject({ number: 151 });
  expect(Math.max(...kept.map(({ text }) => text.length))).toBe(400);
});
