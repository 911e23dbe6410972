import { CallScheduler } from './call-scheduler.ts';
import { Caller, CallerGroup } from './time-shares.ts';

/** Lets the event loop go round a few times. */
async function rounds(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('a caller within its budget does not wait out the rest of those over theirs', async () => {
  let time = 0;
  const scheduler = new CallScheduler();
  const limited = new Caller(new CallerGroup({ msPerSecond: 100 }, () => time));
  const owner = new Caller(new CallerGroup());
  // A rest of 199 s, longer than a test may take.
  limited.charge(20_000);
  const order: string[] = [];
  const rested = scheduler.run({ caller: limited }, async () => {
    order.push('limited');
  });
  // The scheduler finds that nobody may go on, and sleeps.
  await rounds();
  for (let i = 0; i < 3; i++) {
    await scheduler.run({ caller: owner }, async (yielder) => {
      await yielder.yieldNow();
      order.push('owner');
    });
    await rounds();
  }
  expect(order).toEqual(['owner', 'owner', 'owner']);
  time = 300_000;
  await scheduler.run({ caller: owner }, (yielder) => yielder.yieldNow());
  await rested;
  expect(order.at(-1)).toBe('limited');
});

test('those over their budget go on by themselves when they have rested', async () => {
  const scheduler = new CallScheduler();
  const limited = new Caller(new CallerGroup({ msPerSecond: 1000 }));
  limited.charge(1100);
  const start = performance.now();
  await scheduler.run({ caller: limited }, async () => undefined);
  expect(performance.now() - start).toBeGreaterThan(50);
});
