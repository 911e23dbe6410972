import { keccak256 } from '@monero-node/keccak';
import { concatBytes, toHex } from '../bytes.ts';
import { treeBranch, treeHash } from './tree-hash.ts';

/** Returns `count` different hashes. */
function leaves(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => keccak256(Uint8Array.of(i & 0xff, i >> 8)));
}

/** Hashes two nodes. */
const h = (a: Uint8Array, b: Uint8Array) => keccak256(concatBytes(a, b));

test('refuses an empty list; one hash is its own tree hash', () => {
  expect(() => treeHash([])).toThrow(RangeError);
  const [a] = leaves(1) as [Uint8Array];
  expect(treeHash([a])).toEqual(a);
});

test('two to seven leaves make the trees written out here', () => {
  const [a, b, c, d, e, f, g] = leaves(7) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  expect(treeHash([a, b])).toEqual(h(a, b));
  expect(treeHash([a, b, c])).toEqual(h(a, h(b, c)));
  expect(treeHash([a, b, c, d])).toEqual(h(h(a, b), h(c, d)));
  expect(treeHash([a, b, c, d, e])).toEqual(h(h(a, b), h(c, h(d, e))));
  expect(treeHash([a, b, c, d, e, f])).toEqual(h(h(a, b), h(h(c, d), h(e, f))));
  expect(treeHash([a, b, c, d, e, f, g])).toEqual(h(h(a, h(b, c)), h(h(d, e), h(f, g))));
});

test('any count makes a balanced tree over the first level', () => {
  for (let count = 3; count <= 140; count++) {
    const all = leaves(count);
    let width = 1;
    while (width * 2 < count) width *= 2;
    let level = all.slice(0, 2 * width - count);
    for (let i = 2 * width - count; i < count; i += 2) {
      level.push(h(all[i] as Uint8Array, all[i + 1] as Uint8Array));
    }
    expect(level).toHaveLength(width);
    while (level.length > 1) {
      level = level.flatMap((hash, i) => (i % 2 ? [] : [h(hash, level[i + 1] as Uint8Array)]));
    }
    expect(toHex(treeHash(all))).toBe(toHex(level[0] as Uint8Array));
  }
});

test('the branch of the first leaf leads to the tree hash', () => {
  expect(() => treeBranch([])).toThrow(RangeError);
  for (let count = 1; count <= 140; count++) {
    const all = leaves(count);
    const [first] = all as [Uint8Array];
    expect(toHex(treeBranch(all).reduce(h, first))).toBe(toHex(treeHash(all)));
  }
});
