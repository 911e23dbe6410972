import { expect, test } from '@jest/globals';
import { isClockDifference } from './compare.ts';

const DAEMON_TIME = { path: 'daemon_time', ours: '1795410103', theirs: '1795410102' };

test('two daemons asked at the edge of a second may differ in their time', () => {
  expect(isClockDifference({ call: '/get_blocks.bin' }, DAEMON_TIME)).toBe(true);
});

test.each([
  ['more than three seconds', { ...DAEMON_TIME, theirs: '1795410099' }],
  ['a missing time', { ...DAEMON_TIME, ours: undefined }],
  ['another field', { ...DAEMON_TIME, path: 'current_height' }],
])('%s is a difference', (_, mismatch) => {
  expect(isClockDifference({ call: '/get_blocks.bin' }, mismatch)).toBe(false);
});
