import { Lines } from '../testing/publishing.ts';
import { PublisherState } from './publisher-state.ts';

test('that the stream is ahead has a line after a minute, and its end one if that had', () => {
  const { logger, all } = new Lines();
  let now = 0;
  const state = new PublisherState(
    { server: 'nats://a:1', chainStream: 'CHAIN', backfillSubject: 'b' },
    { logger, elapsed: () => now },
  );
  const isBehind = (): boolean => state.status(3, { answered: 0, refused: 0 }).isBehind;
  const waitFor = (seconds: number): void => {
    for (const end = now + seconds * 1000; now < end; now += 2000) state.compared(true);
  };
  state.sawTip({ height: 3, id: '', cumulativeDifficulty: 1n }, false);
  // Another node is faster, block after block.
  for (let block = 0; block < 100; block++) {
    waitFor(2);
    expect(isBehind()).toBe(true);
    state.compared(false);
    expect(isBehind()).toBe(false);
  }
  expect(all).toEqual([]);
  waitFor(300);
  expect(all).toHaveLength(1);
  expect(all[0]).toContain('the stream CHAIN ends with block 3 of a chain with more work');
  state.compared(false);
  state.compared(false);
  expect(all).toHaveLength(2);
  expect(all[1]).toContain('Events are published again: this node has the newest block');
});
