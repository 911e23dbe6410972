import fc from 'fast-check';
import { LongTermMedian } from './long-term-median.ts';
import { floorAverage, median } from '../primitives/median.ts';

describe('median', () => {
  test('is 0 for no values, the middle of an odd count, and rounded down for an even count', () => {
    expect(median([])).toBe(0);
    expect(median([7])).toBe(7);
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 9, 7])).toBe(5);
    expect(median([10, 2, 9, 100])).toBe(9);
  });

  test('sorts by value and does not change its input', () => {
    const values = [100, 20, 3];
    expect(median(values)).toBe(20);
    expect(values).toEqual([100, 20, 3]);
  });

  test('averages without losing precision', () => {
    const max = Number.MAX_SAFE_INTEGER;
    expect(floorAverage(max, max)).toBe(max);
    expect(floorAverage(max, max - 1)).toBe(max - 1);
    expect(floorAverage(3, 4)).toBe(3);
    expect(floorAverage(3, 5)).toBe(4);
  });
});

describe('rolling window', () => {
  const weight = fc.oneof(fc.constant(176_470), fc.integer({ min: 0, max: 1_000_000 }));
  const step = fc.oneof({ weight: 3, arbitrary: weight }, fc.constant('pop' as const));

  test('agrees with sorting from scratch after every push and pop', () => {
    fc.assert(
      fc.property(fc.array(weight), fc.array(step, { maxLength: 200 }), (first, steps) => {
        const capacity = 17;
        const all = [...first];
        const rolling = LongTermMedian.from(first, capacity);
        for (const action of steps) {
          if (action !== 'pop') {
            const leaves = all.length >= capacity ? all.at(-capacity) : undefined;
            all.push(action);
            expect(rolling.push(action)).toBe(leaves);
          } else if (all.length > 0) {
            const newest = all.pop();
            expect(rolling.pop(all.at(-capacity))).toBe(newest);
          }
          // Equal only while no weight was pushed out for good: pop restores from the full list.
          expect(rolling.size).toBe(Math.min(all.length, capacity));
          expect(rolling.median).toBe(median(all.slice(-capacity)));
        }
      }),
    );
  });

  test('agrees with sorting while a chain grows beyond the room made at first and beyond the window', () => {
    const capacity = 3000;
    const all = Array.from({ length: 4200 }, (_, i) => (i * 7919) % 10_007);
    const rolling = LongTermMedian.from(all.slice(0, 900), capacity);
    for (let size = 900; size < all.length; size++) {
      rolling.push(all[size] as number);
      if (size % 97 === 0)
        expect(rolling.median).toBe(median(all.slice(0, size + 1).slice(-capacity)));
    }
    for (let size = all.length - 1; size > 600; size--) {
      expect(rolling.pop(all[size - capacity])).toBe(all[size]);
      if (size % 97 === 0) expect(rolling.median).toBe(median(all.slice(0, size).slice(-capacity)));
    }
  });

  test('restores the weight passed to pop', () => {
    const rolling = LongTermMedian.from([1, 2, 3, 4], 3);
    expect(rolling.median).toBe(3);
    expect(rolling.pop(1)).toBe(4);
    expect(rolling.median).toBe(2);
    expect(rolling.pop()).toBe(3);
    expect(rolling.size).toBe(2);
  });

  test('splits full chunks and removes empty ones', () => {
    const values = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5003);
    const rolling = new LongTermMedian(2000);
    values.forEach((value, i) => {
      rolling.push(value);
      if (i % 500 === 499) {
        expect(rolling.median).toBe(median(values.slice(Math.max(0, i - 1999), i + 1)));
      }
    });
    for (let i = 0; i < 1999; i++) rolling.pop();
    expect([rolling.size, rolling.median]).toEqual([1, values[3000]]);
    rolling.pop();
    expect([rolling.size, rolling.median]).toEqual([0, 0]);
    expect(() => rolling.pop()).toThrow(RangeError);
  });

  test('does not share changes with a clone', () => {
    const rolling = LongTermMedian.from([1, 2, 3]);
    const copy = rolling.clone();
    copy.push(0);
    copy.push(0);
    expect([rolling.median, copy.median]).toEqual([2, 1]);
  });

  test('replaces all 100,000 weights of the window', () => {
    const rolling = LongTermMedian.from(new Float64Array(100_000).map((_, i) => (i * 31) % 99_991));
    for (let i = 0; i < 100_000; i++) rolling.push(176_470);
    expect(rolling.median).toBe(176_470);
  });
});
