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

  test.each([0, -1, 1.5, NaN])('refuses a limit of %p', (limit) => {
    expect(() => new BoundedMap(limit)).toThrow(RangeError);
  });

  test('keeps the order through deletions at both ends and in the middle', () => {
    const map = new BoundedMap<number, number>(4);
    const model: number[] = [];
    for (let i = 0; i < 2000; i++) {
      const key = (i * i + 7 * i) % 11;
      if (i % 3 === 0) {
        const at = model.indexOf(key);
        expect(map.delete(key)).toBe(at >= 0);
        if (at >= 0) model.splice(at, 1);
      } else {
        map.set(key, i);
        const at = model.indexOf(key);
        if (at >= 0) model.splice(at, 1);
        else if (model.length === 4) model.shift();
        model.push(key);
        expect(map.get(key)).toBe(i);
      }
      const held = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((each) => map.has(each));
      expect([map.size, held]).toEqual([model.length, model.toSorted((a, b) => a - b)]);
    }
  });
});
