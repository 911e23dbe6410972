import { Random } from '../../testing/random-chain.ts';
import { bucketOf, RecentBucket, type HashEntry } from './recent-bucket.ts';

const random = new Random('bucket');

/** Entries of the bucket 0x0102, ascending. */
function entries(count: number): HashEntry[] {
  return Array.from({ length: count }, () => ({
    hash: Uint8Array.of(1, 2, ...random.bytes(30)),
    value: random.bytes(4),
  })).sort((a, b) => Buffer.compare(a.hash, b.hash));
}

const bucketWith = (entries: readonly HashEntry[]) =>
  new RecentBucket('key_image', Buffer.concat(entries.flatMap(({ hash, value }) => [hash, value])));

const listOf = (bucket: RecentBucket) =>
  Array.from({ length: bucket.size }, (_, i) => bucket.entry(i));

test('a bucket is the first two bytes of a hash', () => {
  expect(bucketOf(Uint8Array.of(0xab, 0xcd, ...random.bytes(30)))).toBe(0xabcd);
});

test('a bucket returns its entries, finds each hash and no other', () => {
  const all = entries(100);
  const bucket = bucketWith(all);
  expect(listOf(bucket)).toEqual(all);
  expect(all.map(({ hash }) => bucket.find(hash))).toEqual(all.map((_, i) => i));
  for (const { hash } of entries(100)) expect(bucket.find(hash)).toBeUndefined();
});

test.each([
  [0, 1],
  [1, 0],
  [1, 40],
  [40, 1],
  [100, 100],
])('buckets of %i and %i entries become one in order', (first, second) => {
  const all = entries(first + second);
  const chosen = new Set([...all].sort(() => random.below(3) - 1).slice(0, first));
  const bucket = bucketWith(all.filter((entry) => chosen.has(entry)));
  const added = all.filter((entry) => !chosen.has(entry));
  expect(listOf(bucket.with(bucketWith(added)))).toEqual(all);
});

test.each([0, 5, 9])('a bucket without its entry %i has the others', (index) => {
  const all = entries(10);
  const rest = bucketWith(all).without(index);
  expect(listOf(rest)).toEqual(all.filter((_, i) => i !== index));
});

test('a row with a part of an entry means damage', () => {
  expect(() => new RecentBucket('key_image', new Uint8Array(71))).toThrow(
    expect.objectContaining({ code: 'damaged' }),
  );
  expect(() => new RecentBucket('tx_id', new Uint8Array(36))).toThrow(
    expect.objectContaining({ code: 'damaged' }),
  );
});
