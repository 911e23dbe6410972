import { jest } from '@jest/globals';
import { monotonicMilliseconds, systemMilliseconds, systemSeconds } from './clock.ts';

afterEach(() => void jest.useRealTimers());

test('the system clocks return milliseconds and whole seconds', () => {
  jest.useFakeTimers({ now: 1_700_000_000_999 });
  expect(systemMilliseconds()).toBe(1_700_000_000_999);
  expect(systemSeconds()).toBe(1_700_000_000);
});

test('the monotonic clock ignores the time of the system', () => {
  const before = monotonicMilliseconds();
  jest.useFakeTimers({ now: 0, doNotFake: ['performance'] });
  expect(monotonicMilliseconds()).toBeGreaterThanOrEqual(before);
});

test('the monotonic clock begins with the time of the system', () => {
  expect(Math.abs(monotonicMilliseconds() - systemMilliseconds())).toBeLessThan(60_000);
});
