import { setImmediate } from 'node:timers';
import { keepBusy } from '@monero-node/base/testing';
import { CallScheduler } from './call-scheduler.ts';
import { Caller, CallerGroup } from './time-shares.ts';

const round = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('resumes one piece of work per round of the event loop, in order', async () => {
  const scheduler = new CallScheduler();
  const order: string[] = [];
  const run = async (name: string): Promise<void> => {
    await scheduler.begin({ sliceMs: 0 }).yieldIfDue();
    order.push(name);
  };
  const all = Promise.all([run('a'), run('b'), run('c')]);
  for (let i = 1; i <= 3; i++) {
    await round();
    order.push(`round ${i}`);
  }
  await all;
  expect(order).toEqual(['a', 'round 1', 'b', 'round 2', 'c', 'round 3']);
});

test('goes on after it was idle', async () => {
  const scheduler = new CallScheduler();
  await scheduler.begin().yieldNow();
  await scheduler.begin().yieldNow();
});

test('a call that ends within its first slice is not delayed, and its time is charged', async () => {
  const scheduler = new CallScheduler();
  const caller = new Caller(new CallerGroup());
  let done = false;
  const call = scheduler.run({ caller }, async () => {
    keepBusy(2);
    done = true;
  });
  expect(done).toBe(true);
  await call;
  expect(caller.used).toBeGreaterThanOrEqual(2);
});

test('calls that begin in one round of the event loop do not hold it up', async () => {
  const scheduler = new CallScheduler();
  const caller = new Caller(new CallerGroup());
  let begun = 0;
  let rounds = 0;
  const count = (): void => {
    rounds++;
    if (begun < 40) setImmediate(count);
  };
  const calls: Promise<void>[] = [];
  // As many requests of as many sockets do: each in a callback of its own, all in one round.
  for (let i = 0; i < 40; i++) {
    setImmediate(() => {
      const call = scheduler.run({ caller }, async () => {
        begun++;
        keepBusy(3);
      });
      calls.push(call);
    });
  }
  setImmediate(count);
  await round();
  expect(begun).toBeLessThan(10);
  await Promise.all(calls);
  expect(begun).toBe(40);
  expect(rounds).toBeGreaterThan(20);
});

test('a caller that has used little goes before 24 calls of one that has used much', async () => {
  const scheduler = new CallScheduler();
  const group = new CallerGroup();
  const [attacker, innocent] = [new Caller(group), new Caller(group)];
  let slices = 0;
  const heavy = async (): Promise<void> => {
    const yielder = scheduler.begin({ sliceMs: 1 }, { caller: attacker });
    for (let slice = 0; slice < 3; slice++) {
      keepBusy(2);
      await yielder.yieldIfDue();
      slices++;
    }
  };
  const all = Array.from({ length: 24 }, heavy);
  await round();
  await Promise.all(
    Array.from({ length: 5 }, () =>
      scheduler.begin({ sliceMs: 0 }, { caller: innocent }).yieldIfDue(),
    ),
  );
  // In the order of their arrival, each of the 24 would have had a slice.
  expect(slices).toBeLessThan(12);
  await Promise.all(all);
});

test('of two busy groups the owner gets three slices of four', async () => {
  let time = 0;
  const scheduler = new CallScheduler(() => time);
  const owner = new Caller(new CallerGroup({ weight: 3 }));
  const other = new Caller(new CallerGroup());
  const slices = { owner: 0, other: 0 };
  let running = true;
  const work = async (name: 'owner' | 'other', caller: Caller): Promise<void> => {
    const yielder = scheduler.begin({ sliceMs: 0 }, { caller });
    while (running) {
      time += 1;
      slices[name]++;
      running &&= slices.owner + slices.other < 400;
      await yielder.yieldNow();
    }
  };
  await Promise.all([work('owner', owner), work('other', other), work('other', other)]);
  expect(slices.owner / slices.other).toBeCloseTo(3, 0);
});

test('a group over its budget rests while others go on', async () => {
  let time = 0;
  const scheduler = new CallScheduler();
  const limited = new Caller(new CallerGroup({ msPerSecond: 800 }, () => time));
  const owner = new Caller(new CallerGroup());
  limited.charge(1600);
  const order: string[] = [];
  const rested = scheduler.run({ caller: limited }, async () => {
    order.push('limited');
  });
  for (let i = 0; i < 3; i++) {
    await scheduler.run({ caller: owner }, async (yielder) => {
      await yielder.yieldNow();
      order.push('owner');
    });
  }
  time = 2000;
  await rested;
  expect(order).toEqual(['owner', 'owner', 'owner', 'limited']);
});

test('an idle caller saves no time up', async () => {
  const scheduler = new CallScheduler();
  const group = new CallerGroup();
  const busy = new Caller(group);
  busy.charge(1000);
  await scheduler.run({ caller: busy }, async () => undefined);
  const late = new Caller(group);
  await scheduler.run({ caller: late }, async () => undefined);
  expect(late.used).toBeGreaterThanOrEqual(1000);
});

test('a claim that is refused between slices ends the work', async () => {
  const scheduler = new CallScheduler();
  const caller = new Caller(new CallerGroup());
  const claim = { caller, beforeSlice: () => Promise.reject(new Error('left')) };
  await expect(scheduler.run(claim, (yielder) => yielder.yieldNow())).rejects.toThrow('left');
  expect(scheduler.waiting).toBe(0);
});
