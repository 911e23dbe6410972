import { formatDuration, formatProgress } from './sync-progress.ts';

test('formats height, percentage, speed and time left', () => {
  expect(formatProgress({ height: 617, target: 1000, blocksPerSecond: 10 })).toBe(
    'Synced 617/1000 (61.7%, 10.0 blocks/s, 38 s left)',
  );
  expect(formatProgress({ height: 99999, target: 100000, blocksPerSecond: 0 })).toBe(
    'Synced 99999/100000 (99.9%, 0.0 blocks/s)',
  );
  expect(formatProgress({ height: 5, target: 5, blocksPerSecond: 1 })).toBe(
    'Synced 5/5 (100.0%, 1.0 blocks/s)',
  );
  expect(formatProgress({ height: 5, target: 0, blocksPerSecond: 1 })).toBe(
    'Synced 5 (1.0 blocks/s)',
  );
});

test('formats durations', () => {
  expect(formatDuration(7.4)).toBe('7 s');
  expect(formatDuration(245)).toBe('4 min 5 s');
  expect(formatDuration(11_530)).toBe('3 h 12 min');
});
