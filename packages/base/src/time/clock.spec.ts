import { jest } from '@jest/globals';
import { systemMilliseconds, systemSeconds } from './clock.ts';

afterEach(() => void jest.useRealTimers());

test('the system clocks return milliseconds and whole seconds', () => {
  jest.useFakeTimers({ now: 1_700_000_000_999 });
  expect(systemMilliseconds()).toBe(1_700_000_000_999);
  expect(systemSeconds()).toBe(1_700_000_000);
});
