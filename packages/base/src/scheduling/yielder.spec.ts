import { keepBusy } from '../testing/keep-busy.ts';
import { Yielder } from './yielder.ts';

describe('Yielder', () => {
  test('does not wait while the slice lasts', () => {
    const yielder = new Yielder({ sliceMs: 60_000 });
    expect(yielder.due).toBe(false);
    expect(yielder.yieldIfDue()).toBeUndefined();
  });

  test('lets the event loop go round once the slice is used up, then starts the next slice', async () => {
    const yielder = new Yielder({ sliceMs: 20 });
    let served = false;
    setImmediate(() => (served = true));
    keepBusy(21);
    expect(yielder.due).toBe(true);
    await yielder.yieldIfDue();
    expect(served).toBe(true);
    expect(yielder.due).toBe(false);
  });

  test('yieldNow gives up a slice that is not used up', async () => {
    const yielder = new Yielder({ sliceMs: 60_000 });
    let served = false;
    setImmediate(() => (served = true));
    await yielder.yieldNow();
    expect(served).toBe(true);
  });

  test('pieces of work that wait together get one slice each per round', async () => {
    const order: string[] = [];
    const run = async (name: string): Promise<void> => {
      await new Yielder().yieldNow();
      order.push(name);
    };
    const all = Promise.all([run('a'), run('b')]);
    for (let round = 1; round <= 2; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`round ${round}`);
    }
    await all;
    expect(order).toEqual(['a', 'round 1', 'b', 'round 2']);
  });
});
