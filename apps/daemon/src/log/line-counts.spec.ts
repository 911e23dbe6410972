import { LevelLogger } from './level-logger.ts';
import { LineCounts } from './line-counts.ts';
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
