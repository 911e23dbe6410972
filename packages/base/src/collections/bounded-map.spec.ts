import { BoundedMap } from './bounded-map.ts';

describe('BoundedMap', () => {
  test('drops the oldest entry beyond its limit', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([undefined, 2, 3, 2]);
  });

  test('setting an entry makes it the newest, reading it does not', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.has('a');
    map.set('b', 3);
    map.set('c', 4);
    expect([map.has('a'), map.get('b')]).toEqual([false, 3]);
  });

  test('deletes and clears', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    expect([map.delete('a'), map.delete('a')]).toEqual([true, false]);
    map.set('b', 2);
    map.clear();
    expect([map.size, map.has('b')]).toEqual([0, false]);
  });
});
