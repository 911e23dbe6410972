import { sampleSize } from '@monero-node/base/testing';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { createTreeArithmetic } from '../choose-tree-arithmetic.ts';
import { EdPoint } from '../curves/ed25519.ts';
import { elementBytes, l, p, q } from '../curves/fields.ts';
import { findFcmpAddon } from '../native/addon.ts';
import { seededNumbers } from '../testing/seeded-numbers.ts';
import { REFERENCE_TREE_ARITHMETIC } from './arithmetic.ts';
import { emptyNode, hashTrim, NO_CHILD, type NodeChange } from './hash.ts';
import type { ChainOutput } from './leaf.ts';

// Native code, WebAssembly and the reference answer alike, to mistakes too.

type Hex = string;

// Native code is not compared where there is no addon.
const fast = [
  ...(findFcmpAddon() === undefined ? [] : [createTreeArithmetic('native')]),
  createTreeArithmetic('wasm'),
];
const random = seededNumbers('arithmetic of trees');
const { BASE } = EdPoint;
/** A point of order 8. */
const TORSION = EdPoint.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

/** What a call returns, or what it says when it throws. */
function answerOf({ grow }: { grow: () => readonly Uint8Array[] }): readonly Hex[] | string {
  try {
    return grow().map((node) => bytesToHex(node));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `${error.name}: ${error.message}`;
  }
}

function expectSameNodes(changes: readonly NodeChange[]): readonly Hex[] | string {
  const expected = answerOf({ grow: () => REFERENCE_TREE_ARITHMETIC.grow(changes) });
  for (const arithmetic of fast) {
    const answer = answerOf({ grow: () => arithmetic.grow(changes) });
    expect([arithmetic.name, answer]).toEqual([arithmetic.name, expected]);
  }
  return expected;
}

/** Keys and commitments of every sort, most of which have a leaf. */
function pointBytes(): Uint8Array {
  const point = BASE.multiply(1n + random.below(l - 1n));
  const small = TORSION.multiplyUnsafe(random.below(8n));
  const sorts: (() => Uint8Array)[] = [
    () => point.toBytes(),
    () => point.add(small).toBytes(),
    () => small.toBytes(),
    // Half of all bytes are no point.
    () => elementBytes(random.below(1n << 256n)),
    () => elementBytes(p + random.below(19n)),
    () => elementBytes((1n << 255n) + random.below(3n)),
    () => new Uint8Array(32).fill(Number(random.below(2n)) * 0xff),
    () => point.toBytes().subarray(0, 31),
  ];
  const sort = Number(random.below(16n));
  // Half of them are points, with and without torsion.
  return (sorts[sort] ?? (sorts[sort % 2] as () => Uint8Array))();
}

test('leaves of any bytes', () => {
  const shared = Array.from({ length: 4 }, pointBytes);
  const outputs = Array.from(
    { length: sampleSize({ usual: 40, whole: 3000 }) },
    (_, i): ChainOutput => ({
      key: pointBytes(),
      commitment: i % 3 === 0 ? (shared[i % 4] as Uint8Array) : pointBytes(),
      kind: random.below(2n) === 0n ? 'legacy' : 'carrot',
    }),
  );
  const made = REFERENCE_TREE_ARITHMETIC.leavesOf(outputs);
  for (const arithmetic of fast) expect(arithmetic.leavesOf(outputs)).toEqual(made);
  expect(made.some((leaf) => leaf === undefined)).toBe(true);
  expect(made.filter((leaf) => leaf !== undefined).length).toBeGreaterThan(outputs.length / 10);
  for (const arithmetic of fast) expect(arithmetic.leavesOf([])).toEqual([]);
});

describe.each([
  ['Helios', 18, q],
  ['Selene', 228, p],
] as const)('nodes on %s', (curve, most, order) => {
  const edges = [
    ...[0n, 1n, 16n, 17n, 32n, 512n, 513n, 1023n, order - 1n, (order - 1n) / 2n],
    ...[1n << 250n, 1n << 254n, (1n << 255n) - (1n << 128n) - 1n],
  ];
  const child = (): Uint8Array =>
    elementBytes(
      random.below(3n) === 0n
        ? (edges[Number(random.below(BigInt(edges.length)))] as bigint)
        : random.below(order),
    );
  const children = (count: number): Uint8Array[] => Array.from({ length: count }, child);
  const node = emptyNode(curve);

  test('of any children at any places', () => {
    const changes: NodeChange[] = [];
    // 64 and 65 have digits of another width.
    const counts = curve === 'Helios' ? [0, 1, 2, 17, 18] : [0, 1, 64, 65];
    for (const count of [...counts, ...(sampleSize({ usual: 0, whole: 1 }) === 1 ? [most] : [])]) {
      // The reference makes a table for each place.
      const places = sampleSize({ usual: Math.min(most, 80), whole: most });
      const offset = Number(random.below(BigInt(places - count + 1)));
      const before = { curve, node, offset, childAtOffset: child() };
      changes.push({ ...before, children: children(count) });
    }
    const grown = expectSameNodes(changes);
    // A node that has grown grows again, from and to the identity too.
    const [first] = grown as readonly Hex[];
    const some = children(3);
    const zero = new Uint8Array(32);
    const opposite = hashTrim({
      curve,
      node: zero,
      offset: 5,
      childAtOffset: NO_CHILD,
      children: some,
    });
    const rest = { curve, offset: 5, childAtOffset: NO_CHILD, children: some } as const;
    const nodes = expectSameNodes([
      { ...rest, node: hexToBytes(first as Hex) },
      { ...rest, node: opposite },
      { ...rest, node: zero },
      { ...rest, node: zero, children: [] },
    ]);
    expect([nodes[1], nodes[3]]).toEqual(['00'.repeat(32), '00'.repeat(32)]);
  });

  test('what the reference refuses', () => {
    const change = { curve, node, offset: 0, childAtOffset: NO_CHILD, children: [NO_CHILD] };
    const tooLarge = elementBytes(order);
    const wrong: Partial<NodeChange>[] = [
      { children: [NO_CHILD, tooLarge] },
      { children: [tooLarge] },
      { childAtOffset: tooLarge },
      { node: new Uint8Array(32).fill(0xff) },
      { node: elementBytes(1n << 255n) },
      { node: emptyNode(curve === 'Helios' ? 'Selene' : 'Helios') },
      { offset: most },
      { offset: -1 },
      { offset: 0.5 },
      { offset: 2 ** 32 },
      { children: Array.from({ length: most + 1 }, () => NO_CHILD) },
    ];
    for (const each of wrong) {
      expect(expectSameNodes([change, { ...change, ...each }])).toMatch(
        /^(RangeError|RefusedProof): /,
      );
    }
    // Nothing is read where there are no children.
    expectSameNodes([{ ...change, childAtOffset: tooLarge, children: [] }]);
  });
});

test('both curves in one call', () => {
  const change = { offset: 3, childAtOffset: NO_CHILD, children: [elementBytes(77n)] };
  expectSameNodes(
    (['Selene', 'Helios', 'Selene'] as const).map((curve) => ({
      ...change,
      curve,
      node: emptyNode(curve),
    })),
  );
  for (const arithmetic of fast) expect(arithmetic.grow([])).toEqual([]);
});
