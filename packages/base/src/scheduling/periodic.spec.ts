import { jest } from '@jest/globals';
import { Periodic } from './periodic.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('runs the task at every interval until stopped', async () => {
  let runs = 0;
  const periodic = new Periodic(1000, () => void runs++);
  periodic.start();
  periodic.start();
  expect(runs).toBe(0);
  await jest.advanceTimersByTimeAsync(3000);
  expect(runs).toBe(3);
  periodic.stop();
  await jest.advanceTimersByTimeAsync(3000);
  expect(runs).toBe(3);
});

test('does not start a task that still runs', async () => {
  let runs = 0;
  let finish = (): void => undefined;
  const periodic = new Periodic(1000, () => {
    runs++;
    return new Promise<void>((resolve) => (finish = resolve));
  });
  periodic.start();
  await jest.advanceTimersByTimeAsync(3000);
  expect(runs).toBe(1);
  finish();
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(2);
  periodic.stop();
});
