import { PendingLimit } from './pending-limit.ts';

test('what is too much is not run, and there is room again when others are done', async () => {
  const limit = new PendingLimit({ count: 2, size: 10 });
  let finish: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = limit.run(8, () => waits.then(() => 'first'));
  expect(await limit.run(3, () => Promise.resolve('second'))).toBeUndefined();
  expect(await limit.run(2, () => Promise.resolve('second'))).toBe('second');
  const failed = limit.run(1, () => waits.then(() => Promise.reject(new Error('failed'))));
  // Two wait, however small the third.
  expect(await limit.run(0, () => Promise.resolve('third'))).toBeUndefined();
  finish();
  expect(await first).toBe('first');
  await expect(failed).rejects.toThrow('failed');
  expect(await limit.run(10, () => Promise.resolve('fourth'))).toBe('fourth');
  expect(await limit.run(11, () => Promise.resolve('fifth'))).toBeUndefined();
});
