import { FlatHashMap } from './flat-hash-map.ts';
import { Random } from './testing/random-chain.ts';

const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

function entriesOf(map: FlatHashMap): Map<string, number> {
  const entries = new Map<string, number>();
  map.forEach((hash, place) => entries.set(hex(hash), place));
  return entries;
}

/** Hashes that differ in one bit each. */
function alike(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => {
    const hash = new Uint8Array(32).fill(7);
    hash[4 + (i >> 3)] = 1 << (i & 7);
    return hash;
  });
}

test.each([
  ['random hashes', Array.from({ length: 3000 }, (_, i) => new Random(`map ${i}`).bytes(32))],
  ['hashes that are much alike', alike(200)],
])('holds %s as a Map does', (_, hashes) => {
  const map = new FlatHashMap();
  const twin = new Map<string, number>();
  const random = new Random('order');
  for (let step = 0; step < 3 * hashes.length; step += 1) {
    const hash = hashes[random.below(hashes.length)] ?? new Uint8Array(32);
    map.set(Buffer.concat([Uint8Array.of(9, 9, 9), hash]), 3, step);
    twin.set(hex(hash), step);
    expect(map.size).toBe(twin.size);
  }
  for (const hash of hashes) expect(map.get(hash)).toBe(twin.get(hex(hash)));
  expect(entriesOf(map)).toEqual(twin);

  const limit = 2 * hashes.length;
  map.keepBelow(limit);
  for (const [key, place] of twin) if (place >= limit) twin.delete(key);
  expect(twin.size).toBeGreaterThan(0);
  expect(entriesOf(map)).toEqual(twin);
  for (const hash of hashes) expect(map.get(hash)).toBe(twin.get(hex(hash)));

  map.clear();
  expect(map.size).toBe(0);
  for (const hash of hashes) expect(map.get(hash)).toBeUndefined();
});

test('copies what it is given', () => {
  const map = new FlatHashMap();
  const hash = new Uint8Array(32).fill(1);
  map.set(hash, 0, 5);
  hash.fill(2);
  expect(map.get(hash)).toBeUndefined();
  expect(map.get(new Uint8Array(32).fill(1))).toBe(5);
});

test('adds only what is not there', () => {
  const map = new FlatHashMap();
  const hashes = new Random('added').bytes(32 * 100);
  for (const isNew of [true, false]) {
    for (let at = 0; at < hashes.length; at += 32)
      expect(map.add(hashes, at, isNew ? at : -1)).toBe(isNew);
  }
  expect(map.size).toBe(100);
  for (let at = 0; at < hashes.length; at += 32) expect(map.get(hashes, at)).toBe(at);
});

test('returns the hashes below a limit in order', () => {
  const map = new FlatHashMap();
  const random = new Random('sorted');
  // Some differ in their last byte alone.
  const hashes = Array.from({ length: 300 }, (_, i) =>
    i % 3 === 0 ? new Uint8Array(32).fill(9, 0, 31).fill(i / 3, 31) : random.bytes(32),
  );
  for (const [place, hash] of hashes.entries()) map.set(hash, 0, place);
  for (const limit of [0, 100, 1000]) {
    const expected = [...hashes.entries()]
      .slice(0, limit)
      .sort(([, a], [, b]) => Buffer.compare(a, b));
    const sorted = map.sortedBelow(limit);
    expect(Buffer.from(sorted.hashes)).toEqual(Buffer.concat(expected.map(([, hash]) => hash)));
    expect([...sorted.places]).toEqual(expected.map(([place]) => place));
  }
});
