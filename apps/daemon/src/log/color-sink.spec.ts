import { PassThrough } from 'node:stream';
import { readBuffered } from '@monero-node/base/testing';
import { Terminal } from '../terminal/terminal.ts';
import { colorSink, wantsColors } from './color-sink.ts';
import { LevelLogger } from './level-logger.ts';
import { LogLevels } from './log-levels.ts';

test('warnings are yellow, errors red, notices bold, details gray, all else plain', () => {
  const stream = new PassThrough();
  const logger = new LevelLogger(new LogLevels('2'), [colorSink(new Terminal(stream))]);
  logger.error('e');
  logger.warn('w');
  logger.info('i');
  logger.child('net').info('n');
  logger.child('net').debug('d');
  const lines = readBuffered(stream).split('\n');
  const styled = (style: number, end: number, text: string) =>
    expect.stringMatching(`^\u001b\\[${style}m\\d{4}-.*\t${text}\u001b\\[${end}m$`);
  expect(lines).toEqual([
    styled(31, 39, 'e'),
    styled(33, 39, 'w'),
    styled(1, 22, 'i'),
    expect.stringMatching(/^\d{4}-.*\tn$/),
    styled(90, 39, 'd'),
    '',
  ]);
});

test.each<[isTTY: boolean, environment: NodeJS.ProcessEnv, colors: boolean]>([
  [true, { TERM: 'xterm-256color' }, true],
  [true, { TERM: 'dumb' }, false],
  [true, { TERM: 'xterm', NO_COLOR: '1' }, false],
  [true, { TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' }, true],
  [true, { TERM: 'xterm', FORCE_COLOR: '0' }, false],
  [false, { TERM: 'xterm' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: 'false' }, false],
])('terminal %s, %j: %s', (isTTY, environment, colors) => {
  expect(wantsColors(Object.assign(new PassThrough(), { isTTY }), environment)).toBe(colors);
});
