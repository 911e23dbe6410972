import { OptionReader } from './given-options.ts';
import { readSyncMode, syncModeWarnings } from './chain-settings.ts';

const values = (text?: string) =>
  new OptionReader(new Map(text === undefined ? [] : [['db-sync-mode', text]]));

test.each([
  [undefined, 'fast', undefined],
  ['fast:async:250000000bytes', 'fast', undefined],
  ['safe', 'safe', undefined],
  ['fastest', 'fastest', undefined],
  ['safe:sync', 'safe', ':sync'],
  ['fast:async:100blocks', 'fast', ':async:100blocks'],
  ['fastest:async:1000', 'fastest', ':async:1000'],
])('%s is %s', (text, mode, ignored) => {
  expect(readSyncMode(values(text))).toBe(mode);
  const warning = ignored === undefined ? [] : [`--db-sync-mode: '${ignored}' has no effect`];
  expect(syncModeWarnings(values(text))).toEqual(warning);
});

test.each(['', 'slow', 'fast:banana', 'fast:async:', 'fast:async:1MB', 'safe:sync:1:2', 'SAFE'])(
  '%j is refused',
  (text) => {
    expect(() => readSyncMode(values(text))).toThrow(`Invalid db-sync-mode '${text}'`);
  },
);
