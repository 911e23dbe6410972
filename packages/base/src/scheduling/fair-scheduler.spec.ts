import { FairScheduler } from './fair-scheduler.ts';

describe('FairScheduler', () => {
  test('resumes one piece of work per round of the event loop, in order', async () => {
    const scheduler = new FairScheduler();
    const order: string[] = [];
    const run = async (name: string): Promise<void> => {
      await scheduler.begin({ sliceMs: 0 }).yieldIfDue();
      order.push(name);
    };
    const all = Promise.all([run('a'), run('b'), run('c')]);
    for (let round = 1; round <= 3; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`round ${round}`);
    }
    await all;
    expect(order).toEqual(['a', 'round 1', 'b', 'round 2', 'c', 'round 3']);
  });

  test('goes on after it was idle', async () => {
    const scheduler = new FairScheduler();
    await scheduler.begin().yieldNow();
    await scheduler.begin().yieldNow();
  });
});
