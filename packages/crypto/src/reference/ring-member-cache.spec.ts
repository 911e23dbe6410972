import { hashToPoint } from '../curve/hash-to-point.ts';
import { createTestRandom } from '../testing/random.ts';
import { RingMemberCache } from './ring-member-cache.ts';

describe('RingMemberCache', () => {
  const random = createTestRandom('cache');

  test('returns the point and its image, and the same objects the second time', () => {
    const cache = new RingMemberCache();
    const key = random.point();
    const first = cache.lookup(key);
    expect(first?.point.toBytes()).toEqual(key);
    expect(first?.hashed.equals(hashToPoint(key))).toBe(true);
    expect(cache.lookup(key.slice())).toBe(first);
  });

  test('drops the oldest key when full', () => {
    const cache = new RingMemberCache(2);
    const [a, b, c] = [random.point(), random.point(), random.point()];
    const first = [cache.lookup(a), cache.lookup(b), cache.lookup(c)];
    expect(cache.lookup(c)).toBe(first[2]);
    expect(cache.lookup(b)).toBe(first[1]);
    expect(cache.lookup(a)).not.toBe(first[0]);
  });

  test('does not remember a key that is not a point', () => {
    const cache = new RingMemberCache(1);
    const kept = random.point();
    const first = cache.lookup(kept);
    expect(cache.lookup(new Uint8Array(32).fill(255))).toBeUndefined();
    expect(cache.lookup(new Uint8Array(5))).toBeUndefined();
    expect(cache.lookup(kept)).toBe(first);
  });
});
