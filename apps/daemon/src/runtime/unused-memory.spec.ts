import { jest } from '@jest/globals';
import { releaseMemoryRegularly } from './unused-memory.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('memory is released after the start and every ten minutes, until it is ended', async () => {
  let times = 0;
  const end = releaseMemoryRegularly(() => Promise.resolve(void times++));
  await jest.advanceTimersByTimeAsync(1000);
  expect(times).toBe(1);
  await jest.advanceTimersByTimeAsync(1_200_000);
  expect(times).toBe(3);
  end();
  await jest.advanceTimersByTimeAsync(1_200_000);
  expect(times).toBe(3);
});

test('a failure does not reach the process, and the next time is tried', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  let times = 0;
  const end = releaseMemoryRegularly(() => {
    times++;
    return Promise.reject(new Error('no thread can be started'));
  });
  try {
    await jest.advanceTimersByTimeAsync(1_201_000);
    jest.useRealTimers();
    // Node reports rejections after the promises of a turn.
    await new Promise(setImmediate);
  } finally {
    end();
    process.off('unhandledRejection', note);
  }
  expect(times).toBe(3);
  expect(unhandled).toEqual([]);
});
