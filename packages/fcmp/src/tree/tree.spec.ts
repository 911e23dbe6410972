import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { sampled, sampleSize } from '@monero-node/base/testing';
import { readFixture } from '../testing/fixtures.ts';
import { emptyNode, hashGrow, hashTrim, nodeAsChild } from './hash.ts';
import { leafOf } from './leaf.ts';
import { treeOf } from './root.ts';

type Hex = string;
interface Change {
  readonly op: 'grow' | 'trim';
  readonly curve: 'Helios' | 'Selene' | 'Selene leaves chunk';
  readonly description: string;
  readonly existing: Hex;
  readonly offset: number;
  readonly existing_child_at_offset?: Hex;
  readonly child_to_grow_back?: Hex;
  readonly children: Hex[];
  readonly result: Hex;
}
interface Trees {
  /** O, I and C of the outputs of a tree. */
  readonly leaves: [Hex, Hex, Hex][];
  readonly scalars: Hex[][];
  readonly roots: {
    n: number;
    layers: number;
    root: Hex;
    hashes_per_layer: number[];
    last_hashes: Hex[];
  }[];
}
interface Fixture {
  readonly changes: Change[];
  readonly withTorsion: { O_original: Hex; leaf: { O: Hex; I: Hex; C: Hex; scalars: Hex[] } };
  readonly legacy: Trees;
  readonly carrot: Trees;
}

const { changes, withTorsion, legacy, carrot } = readFixture<Fixture>('tree');

it('grows and trims nodes as upstream does', () => {
  for (const change of sampled(changes, 24)) {
    const arguments_ = {
      curve: change.curve === 'Helios' ? ('Helios' as const) : ('Selene' as const),
      node: hexToBytes(change.existing),
      offset: change.offset,
      childAtOffset: hexToBytes(
        (change.existing_child_at_offset ?? change.child_to_grow_back) as Hex,
      ),
      children: change.children.map((child) => hexToBytes(child)),
    };
    const result = change.op === 'grow' ? hashGrow(arguments_) : hashTrim(arguments_);
    expect([change.description, bytesToHex(result)]).toEqual([change.description, change.result]);
  }
});

it('refuses what is no point or scalar of the curve', () => {
  const node = emptyNode('Helios');
  const tooLarge = new Uint8Array(32).fill(0xff);
  const none = new Uint8Array(32);
  const change = {
    curve: 'Helios',
    node,
    offset: 0,
    childAtOffset: none,
    children: [none],
  } as const;
  expect(hashGrow(change)).toEqual(node);
  expect(() => hashGrow({ ...change, children: [tooLarge] })).toThrow(RangeError);
  expect(() => hashGrow({ ...change, node: tooLarge })).toThrow(RangeError);
  expect(() => hashGrow({ ...change, curve: 'Selene' })).toThrow(RangeError);
});

it.each([
  ['Helios', 18],
  ['Selene', 228],
] as const)('refuses places that no node of %s has', (curve, most) => {
  const none = new Uint8Array(32);
  const node = emptyNode(curve);
  const change = { curve, node, offset: most - 1, childAtOffset: none, children: [none] };
  expect(hashGrow(change)).toEqual(node);
  for (const wrong of [
    { offset: -1 },
    { offset: 0.5 },
    { offset: NaN },
    { offset: most },
    { offset: 1_000_000 },
    { children: [none, none] },
  ]) {
    expect(() => hashGrow({ ...change, ...wrong })).toThrow(/^no [12] children from/);
    expect(() => hashTrim({ ...change, ...wrong })).toThrow(RangeError);
  }
});

it('leaves a node as it is that becomes a child', () => {
  const node = Buffer.alloc(32, 0xff);
  expect(nodeAsChild(node)[31]).toBe(0x7f);
  expect(node[31]).toBe(0xff);
});

it.each([
  ['legacy', legacy],
  ['carrot', carrot],
] as const)('hashes %s outputs to the roots of upstream', (kind, { leaves, scalars, roots }) => {
  const count = sampleSize({ usual: 1, whole: leaves.length });
  const made = leaves.slice(0, count).map(([key, I, commitment], i) => {
    const leaf = leafOf({ key: hexToBytes(key), commitment: hexToBytes(commitment), kind });
    expect(bytesToHex(leaf?.I as Uint8Array)).toBe(I);
    expect(leaf?.elements.map((element) => bytesToHex(element))).toEqual(scalars[i]);
    return leaf as NonNullable<typeof leaf>;
  });
  // The others are known by their elements.
  const known = scalars.slice(count).map((elements) => ({
    ...(made[0] as (typeof made)[0]),
    elements: elements.map((element) => hexToBytes(element)),
  }));
  const all = [...made, ...known];
  for (const { n, layers, root, hashes_per_layer, last_hashes } of roots) {
    if (n > all.length) continue;
    const tree = treeOf(all.slice(0, n));
    expect(tree).toHaveLength(layers);
    expect(tree.map((nodes) => nodes.length)).toEqual(hashes_per_layer);
    const last = tree.map((nodes) => bytesToHex(nodes.at(-1) as Uint8Array));
    expect(last).toEqual(last_hashes);
    expect(last.at(-1)).toBe(root);
  }
});

it('clears the torsion of a key, but hashes the key as it stands', () => {
  const commitment = hexToBytes(withTorsion.leaf.C);
  const leaf = leafOf({ key: hexToBytes(withTorsion.O_original), commitment, kind: 'legacy' });
  expect([leaf?.O, leaf?.I].map((bytes) => bytesToHex(bytes as Uint8Array))).toEqual([
    withTorsion.leaf.O,
    withTorsion.leaf.I,
  ]);
  expect(treeOf([])).toEqual([]);
});
