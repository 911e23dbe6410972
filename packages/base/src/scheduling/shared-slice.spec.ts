import { SharedSlice } from './shared-slice.ts';

/** Keeps the event loop busy. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
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
      await slice.begin({}, (time) => spent.push(time)).yieldNow();
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
