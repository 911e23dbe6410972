import { hashOfEnd, ShardedMap } from './sharded-map.ts';

test('works like a Map', () => {
  const map = new ShardedMap<string, number>(hashOfEnd);
  const plain = new Map<string, number>();
  for (let i = 0; i < 5000; i++) {
    const key = `10.0.${(i * 7) % 13}.${(i * 31) % 250}`;
    if (i % 3 === 0) expect(map.delete(key)).toBe(plain.delete(key));
    else {
      map.set(key, i);
      plain.set(key, i);
    }
    expect(map.size).toBe(plain.size);
  }
  expect(new Map(map)).toEqual(plain);
  for (const key of [...plain.keys(), 'none', '']) {
    expect(map.get(key)).toBe(plain.get(key));
    expect(map.has(key)).toBe(plain.has(key));
  }
});

test('neighboring addresses are spread', () => {
  const low = new Set(
    Array.from({ length: 10_000 }, (_, i) => hashOfEnd(`10.1.${i >> 8}.${i & 255}`) % 256),
  );
  expect(low.size).toBeGreaterThan(200);
});
