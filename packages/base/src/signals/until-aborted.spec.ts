import { jest } from '@jest/globals';
import { untilAborted } from './until-aborted.ts';

test('passes on what the promise becomes', async () => {
  const { signal } = new AbortController();
  await expect(untilAborted(Promise.resolve(5), signal)).resolves.toBe(5);
  const failure = new Error('failed');
  await expect(untilAborted(Promise.reject(failure), signal)).rejects.toBe(failure);
});

test('ends with the reason of the signal, once it is aborted or at once', async () => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const waiting = untilAborted(new Promise(() => undefined), stop.signal);
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(untilAborted(Promise.resolve(5), stop.signal)).rejects.toBe(reason);
});

test('leaves no listener behind', async () => {
  const { signal } = new AbortController();
  const removed = jest.spyOn(signal, 'removeEventListener');
  await untilAborted(Promise.resolve(), signal);
  expect(removed).toHaveBeenCalledTimes(1);
});
