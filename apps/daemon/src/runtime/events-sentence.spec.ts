import { eventsSentence } from './events-sentence.ts';

const STATUS = {
  server: 'nats://a:4222',
  isConnected: true,
  publishedHeight: 12,
  lag: 3,
  acknowledgedAt: 1_700_000_000,
  streamsMade: 1,
  isBehind: false,
  problem: undefined,
  backfill: { isServing: true, answered: 4, refused: 1 },
};

test('position, acknowledgement and requests for older blocks', () => {
  expect(eventsSentence(STATUS)).toBe(
    'connected to nats://a:4222, the stream ends with block 12, 3 behind, last block acknowledged at 2023-11-14T22:13:20Z, 4 requests for older blocks answered, 1 refused',
  );
});

test.each([
  [{ isConnected: false }, 'not connected to'],
  [{ publishedHeight: undefined }, 'the stream is empty, 3 blocks behind'],
  [{ lag: undefined, publishedHeight: undefined }, 'the stream is not known yet'],
  [{ isBehind: true }, 'block 12, of a chain with more work'],
  [{ acknowledgedAt: undefined }, 'no block acknowledged since the start'],
  [{ backfill: { ...STATUS.backfill, isServing: false } }, 'and none can come in'],
])('what is not as it should be: %j', (changes, text) => {
  expect(eventsSentence({ ...STATUS, ...changes })).toContain(text);
});
