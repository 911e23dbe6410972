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

test.each<
  [what: string, change: Partial<StreamInfo>, mustCompare: boolean, startsAt: number | undefined]
>([
  ['that goes on', { lastSequence: 12, messages: 6 }, false, undefined],
  ['that stands still', {}, false, undefined],
  ['with another leader', { leader: 's2', lastSequence: 12 }, true, undefined],
  ['in an election', { leader: undefined }, false, undefined],
  ['that ends earlier', { lastSequence: 8 }, true, undefined],
  ['that was made anew', { created: 'now', lastSequence: 0, messages: 0 }, true, 0],
  ['that was emptied', { lastSequence: 10, messages: 0 }, true, 10],
  ['with another limit', { settings: { ...INFO.settings, maxMessageBytes: 9 } }, true, undefined],
])('a stream %s', (_, change, mustCompare, startsAt) => {
  const seen = new SeenStream();
  expect(seen.look(INFO)).toEqual({ mustCompare: true, startsAt: 0 });
  expect(seen.look({ ...INFO, ...change })).toEqual({ mustCompare, startsAt });
  if (change.leader === undefined && 'leader' in change)
    expect(seen.look(INFO).mustCompare).toBe(false);
});

test('a stream that has not been written to is not emptied', () => {
  const seen = new SeenStream();
  const empty = { ...INFO, messages: 0, lastSequence: 0 };
  seen.look(empty);
  expect(seen.look(empty)).toEqual({ mustCompare: false, startsAt: undefined });
  seen.published();
  expect(seen.look(empty)).toEqual({ mustCompare: true, startsAt: 0 });
});
