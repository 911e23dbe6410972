import { WakeUp } from './wake-up.ts';

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

/** Resolves to whether a promise is still pending after all that is due has run. */
async function isPending(promise: Promise<void>): Promise<boolean> {
  let isOver = false;
  void promise.then(() => (isOver = true));
  await new Promise(setImmediate);
  return !isOver;
}

test('an event ends a sleep, and one before it does, too', async () => {
  const wake = new WakeUp();
  const sleep = wake.sleep(HOUR_MS, signal);
  wake.wake();
  await sleep;
  wake.wake();
  await wake.sleep(HOUR_MS, signal);
});

test('an event does not end the pause after a failure, but rousing does', async () => {
  const wake = new WakeUp();
  wake.wake();
  const pause = wake.pause(HOUR_MS, signal);
  wake.wake();
  expect(await isPending(pause)).toBe(true);
  wake.rouse();
  await pause;
  wake.rouse();
  await wake.pause(HOUR_MS, signal);
  await wake.pause(1, signal);
});
