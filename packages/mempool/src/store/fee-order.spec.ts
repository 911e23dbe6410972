import { FeeOrder } from './fee-order.ts';
import type { PoolEntry } from './pool-entry.ts';

interface Made {
  readonly rate: number;
  readonly sortTime: number;
  readonly number: number;
}

/** A generator whose numbers are the same in each run. */
function numbers(): (below: number) => number {
  let state = 12_345;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The order as one array, sorted anew at each question. */
const expected = (all: ReadonlySet<Made>): Made[] =>
  [...all].sort((a, b) => b.rate - a.rate || a.sortTime - b.sortTime || a.number - b.number);

test.each([
  ['few rates, so that equal ones fill several parts', 3, 2],
  ['many rates', 1_000_000, 1000],
])('through many changes it is the order of a sorted array, with %s', (_, rates, times) => {
  const random = numbers();
  const order = new FeeOrder();
  const all = new Set<Made>();
  let number = 0;
  for (let round = 0; round < 12; round++) {
    const grows = round < 6;
    for (let i = 0; i < 1500; i++) {
      if (random(10) < (grows ? 8 : 2)) {
        const entry = { rate: random(rates), sortTime: random(times), number: number++ };
        all.add(entry);
        order.add(entry as unknown as PoolEntry);
      } else {
        const entry = [...all][random(all.size)];
        if (entry === undefined) continue;
        all.delete(entry);
        order.remove(entry as unknown as PoolEntry);
      }
    }
    const list = expected(all);
    expect(order.list()).toEqual(list);
    expect([...order.worstFirst()]).toEqual(list.toReversed());
  }
  for (const entry of all) order.remove(entry as unknown as PoolEntry);
  expect(order.list()).toEqual([]);
});

test('does not remove what is not in it, and keeps a list that it has returned', () => {
  const order = new FeeOrder();
  const [a, b] = [1, 2].map((number) => ({ rate: 1, sortTime: 1, number }) as unknown as PoolEntry);
  if (a === undefined || b === undefined) throw new Error('two entries were made');
  order.remove(a);
  order.add(a);
  const list = order.list();
  order.remove(b);
  order.add(b);
  expect([list, order.list()]).toEqual([[a], [a, b]]);
});
