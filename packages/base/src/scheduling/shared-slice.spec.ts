import { jest } from '@jest/globals';
import { SharedSlice } from './shared-slice.ts';

/** The result of `performance.now`, milliseconds: only work takes time, however slow the machine is. */
let time = 0;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function work(milliseconds: number): void {
  time += milliseconds;
}

describe('SharedSlice', () => {
  test('lets short calls run at once until the slice is used up', async () => {
    const slice = new SharedSlice({ roundMs: 20 });
    expect(slice.enter()).toBeUndefined();
    expect(slice.enter()).toBeUndefined();
    work(21);
    const turn = slice.enter();
    expect(turn).toBeInstanceOf(Promise);
    await turn;
  });

  test('resumes several short calls in one round, but not the ones after a long call', async () => {
    const slice = new SharedSlice({ roundMs: 20 });
    const order: string[] = [];
    const spent: number[] = [];
    const run = async (name: string, milliseconds: number): Promise<void> => {
      await slice.begin({}, (ms) => spent.push(ms)).yieldNow();
      work(milliseconds);
      order.push(name);
    };
    const all = Promise.all([run('a', 0), run('b', 25), run('c', 0)]);
    await new Promise((resolve) => setImmediate(resolve));
    order.push('round');
    await all;
    expect(order).toEqual(['a', 'b', 'round', 'c']);
    expect(spent.slice(0, 2)).toEqual([0, 25]);
  });
});
