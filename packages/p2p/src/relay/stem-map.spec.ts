import { randomBelow, secureRandom } from '@monero-node/base';
import { StemMap } from './stem-map.ts';

const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `out${i}`);

describe('the stems of an epoch', () => {
  test('are two candidates, chosen evenly', () => {
    const chosen = new Map<string, number>();
    const rounds = 6000;
    for (let i = 0; i < rounds; i++) {
      const map = new StemMap(ids(4), 2, secureRandom);
      const pair = new Set([map.stemFor('a'), map.stemFor('b'), map.stemFor('c')]);
      expect(pair.size).toBe(2);
      const key = [...pair].sort().join();
      chosen.set(key, (chosen.get(key) ?? 0) + 1);
    }
    expect(chosen.size).toBe(6);
    // 1000 each; the standard deviation is 29, and six of them are allowed.
    for (const count of chosen.values()) expect(Math.abs(count - rounds / 6)).toBeLessThan(175);
  });

  test('keeps the stem of a source and spreads sources evenly', () => {
    const map = new StemMap(ids(12), 2, secureRandom);
    const first = Array.from({ length: 10 }, (_, i) => map.stemFor(`source${i}`));
    const again = Array.from({ length: 10 }, (_, i) => map.stemFor(`source${i}`));
    expect(again).toEqual(first);
    const [one] = first;
    expect(first.filter((stem) => stem === one)).toHaveLength(5);
  });

  test('keep no source whose connection has closed', () => {
    const map = new StemMap(ids(2), 2, secureRandom);
    const [kept, other] = [map.stemFor('kept'), map.stemFor('other')];
    for (let i = 0; i < 100; i++) {
      map.stemFor(`source${i}`);
      map.forget(`source${i}`);
    }
    map.forget('never seen');
    expect(map.sourceCount).toBe(2);
    // Closed sources do not count when sources are spread.
    map.forget('other');
    expect([map.stemFor('kept'), map.stemFor('next')]).toEqual([kept, other]);
  });

  test('has none without candidates', () => {
    const map = new StemMap([], 2, secureRandom);
    expect(map.stemFor('')).toBeUndefined();
    map.update(['late']);
    expect([map.size, map.stemFor('')]).toEqual([1, 'late']);
  });

  test('replaces a closed stem and keeps the other', () => {
    const map = new StemMap(['a', 'b'], 2, secureRandom);
    const sources = ['w', 'x', 'y', 'z'];
    const before = sources.map((source) => map.stemFor(source));
    map.update(['b', 'c']);
    expect(map.size).toBe(2);
    const after = sources.map((source) => map.stemFor(source));
    expect(after).toEqual(before.map((stem) => (stem === 'a' ? 'c' : 'b')));
    map.update(['c']);
    expect(sources.map((source) => map.stemFor(source))).toEqual(['c', 'c', 'c', 'c']);
    map.update([]);
    expect(map.stemFor('w')).toBeUndefined();
  });
});

test('a random number below a bound is never the bound', () => {
  expect(randomBelow(100, () => 1 - 2 ** -47)).toBe(99);
  expect(randomBelow(100, () => 0)).toBe(0);
});
