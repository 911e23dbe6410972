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

/** Keeps the event loop busy. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('FairScheduler with a slice for each round', () => {
  test('lets short calls run at once until the slice is used up', async () => {
    const scheduler = new FairScheduler({ roundMs: 20 });
    expect(scheduler.enter()).toBeUndefined();
    expect(scheduler.enter()).toBeUndefined();
    work(21);
    const turn = scheduler.enter();
    expect(turn).toBeInstanceOf(Promise);
    await turn;
  });

  test('resumes several short calls in one round, but not the ones after a long call', async () => {
    const scheduler = new FairScheduler({ roundMs: 20 });
    const order: string[] = [];
    const spent: number[] = [];
    const run = async (name: string, milliseconds: number): Promise<void> => {
      await scheduler.begin({}, (time) => spent.push(time)).yieldNow();
      work(milliseconds);
      order.push(name);
    };
    const all = Promise.all([run('a', 0), run('b', 25), run('c', 0)]);
    await new Promise((resolve) => setImmediate(resolve));
    order.push('round');
    await all;
    expect(order.indexOf('a')).toBeLessThan(order.indexOf('b'));
    expect(order.indexOf('round')).toBeLessThan(order.indexOf('c'));
    expect(spent[1]).toBeGreaterThanOrEqual(24);
  });
});
