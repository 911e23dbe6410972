import { afterEventLoopRound } from './event-loop.ts';
import { Mutex } from './mutex.ts';
import { Semaphore } from './semaphore.ts';

describe('Mutex', () => {
  test('runs tasks one at a time, in order', async () => {
    const mutex = new Mutex();
    const order: string[] = [];
    const task = (name: string, rounds: number) => async (): Promise<string> => {
      order.push(`start ${name}`);
      for (let round = 0; round < rounds; round++) await afterEventLoopRound();
      order.push(`end ${name}`);
      return name;
    };
    const results = [mutex.run(task('a', 5)), mutex.run(task('b', 0))];
    expect(mutex.busy).toBe(true);
    expect(await Promise.all(results)).toEqual(['a', 'b']);
    expect(order).toEqual(['start a', 'end a', 'start b', 'end b']);
    expect(mutex.busy).toBe(false);
  });

  test('goes on after a task that failed', async () => {
    const mutex = new Mutex();
    const failed = mutex.run(() => Promise.reject(new Error('broken')));
    const next = mutex.run(() => 2);
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe(2);
  });

  test('idle waits for the tasks handed in before it', async () => {
    const mutex = new Mutex();
    let done = false;
    const task = mutex.run(async () => {
      await afterEventLoopRound();
      done = true;
    });
    await mutex.idle();
    expect(done).toBe(true);
    await task;
    await mutex.idle();
  });
});

describe('Semaphore', () => {
  test('runs no more tasks at a time than its limit', async () => {
    const semaphore = new Semaphore(2);
    let running = 0;
    let most = 0;
    const task = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await afterEventLoopRound();
      running--;
    };
    const all = Promise.all(Array.from({ length: 6 }, () => semaphore.run(task)));
    await Promise.resolve();
    expect(semaphore.running + semaphore.waiting).toBe(6);
    await all;
    expect(most).toBe(2);
  });

  test('rejects a limit below one', () => {
    expect(() => new Semaphore(0)).toThrow(TypeError);
  });
});
