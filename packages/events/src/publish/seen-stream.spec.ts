import type { StreamInfo } from '../broker/stream-info.ts';
import { SeenStream } from './seen-stream.ts';

const INFO: StreamInfo = {
  firstSequence: 1,
  lastSequence: 10,
  messages: 5,
  created: 'today',
  leader: 's1',
  settings: {
    subjects: [],
    retention: 'limits',
    maxMessageBytes: undefined,
    isSilent: false,
    isSealed: false,
  },
};

test.each<[what: string, change: Partial<StreamInfo>, mustCompare: boolean, startsAnew: boolean]>([
  ['that goes on', { lastSequence: 12, messages: 6 }, false, false],
  ['that stands still', {}, false, false],
  ['with another leader', { leader: 's2', lastSequence: 12 }, true, false],
  ['in an election', { leader: undefined }, false, false],
  ['that ends earlier', { lastSequence: 8 }, true, false],
  ['that was made anew', { created: 'now', lastSequence: 0, messages: 0 }, true, true],
  ['that was emptied', { lastSequence: 10, messages: 0 }, true, true],
  ['with another limit', { settings: { ...INFO.settings, maxMessageBytes: 9 } }, true, false],
])('a stream %s', (_, change, mustCompare, startsAnew) => {
  const seen = new SeenStream();
  expect(seen.look(INFO)).toEqual({ mustCompare: true, startsAnew: true });
  expect(seen.look({ ...INFO, ...change })).toEqual({ mustCompare, startsAnew });
  if (change.leader === undefined && 'leader' in change)
    expect(seen.look(INFO).mustCompare).toBe(false);
});

test('a stream that has not been written to is not emptied', () => {
  const seen = new SeenStream();
  const empty = { ...INFO, messages: 0, lastSequence: 0 };
  seen.look(empty);
  expect(seen.look(empty)).toEqual({ mustCompare: false, startsAnew: false });
  seen.published();
  expect(seen.look(empty)).toEqual({ mustCompare: true, startsAnew: true });
});
