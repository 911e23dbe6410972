import { scatterHash } from './flat-hash-map.ts';
import { HASH_SIZE } from './hash-bytes.ts';

test('hashes that differ in any two bytes are spread over the slots', () => {
  for (const [first, second] of [
    [1, 2],
    [4, 5],
    [30, 31],
  ] as const) {
    const hash = new Uint8Array(HASH_SIZE).fill(7);
    const slots = new Set<number>();
    for (let i = 0; i < 2 ** 16; i += 1) {
      hash[first] = i & 255;
      hash[second] = i >> 8;
      slots.add(scatterHash(hash, 0) & 0xffff);
    }
    // 63 % of the slots are expected; hashing without secret numbers can be made to use one.
    expect(slots.size).toBeGreaterThan(2 ** 14);
  }
});

test('a hash has the same slot wherever it lies', () => {
  const bytes = new Uint8Array(100).map((_, i) => i);
  expect(scatterHash(bytes, 20)).toBe(scatterHash(bytes.slice(20, 52), 0));
});
