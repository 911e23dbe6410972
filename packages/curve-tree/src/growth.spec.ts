import type { NodeChange } from '@monero-node/fcmp';
import { type BlockAddition, CurveTree } from './curve-tree.ts';
import { edgeOf, growByOutputs, growEdge, type OutputGrowth } from './growth.ts';
import type { TreeHasher } from './hasher.ts';
import { MemoryTreeStore } from './memory-store.ts';
import type { ScheduledOutput } from './schedule.ts';
import { curveOf, MONERO_SHAPE, nodesOf } from './shape.ts';
import type { TreeState } from '@monero-node/storage/memory';
import { contentsOf } from './testing/contents.ts';
import { TOY_HASHER } from './testing/toy-hasher.ts';

/** Counts the nodes that are hashed and the multiples of generators that are added for them. */
class CountingHasher implements TreeHasher {
  nodes = 0;
  multiples = 0;
  readonly leavesOf: TreeHasher['leavesOf'] = (outputs) => TOY_HASHER.leavesOf(outputs);

  readonly grow = (changes: readonly NodeChange[]): readonly Uint8Array[] => {
    this.nodes += changes.length;
    for (const { children } of changes) this.multiples += children.length;
    return TOY_HASHER.grow(changes);
  };
}

const outputOf = (i: number): Omit<ScheduledOutput, 'entersAt'> => ({
  key: new Uint8Array(32).fill(1 + (i % 4)),
  commitment: new Uint8Array(32).fill(i),
  kind: 'carrot',
});

test.each([
  [1_000_000, 5],
  [20_000_000, 6],
  [200_000_000, 6],
  [684 ** 3, 7],
  [684 ** 5 * 30, 11],
])('a block on %s leaves costs its own and one node for each layer', (leaves, layers) => {
  const edge = nodesOf(MONERO_SHAPE, leaves).map((_, layer) =>
    Uint8Array.from({ length: 32 }, (__, i) => (i < 8 ? layer + i + curveOf(layer).length : 0)),
  );
  for (const count of [1, 2, 100]) {
    const hasher = new CountingHasher();
    const outputs = Array.from({ length: count }, (_, i) => outputOf(i));
    const made = hasher.leavesOf(outputs).filter((leaf) => leaf !== undefined);
    expect(made).toHaveLength(count);
    const growth = growEdge(hasher, MONERO_SHAPE, { leaves, edge }, made);
    expect(growth.edge).toHaveLength(layers);
    // 100 leaves fill at most four nodes; above, a node that changes and at most one that is new, or the old root beside it.
    const most = Math.ceil(count / MONERO_SHAPE.leaves) + 1;
    expect(hasher.nodes).toBeLessThanOrEqual(most + 2 * (layers - 1));
    expect(hasher.multiples).toBeLessThanOrEqual(6 * count + (most + 1) * (layers - 1));
  }
});

/** A store that tells which states, leaves and nodes were read. */
class WatchedStore extends MemoryTreeStore {
  readonly reads: string[] = [];

  override state(index: number): TreeState {
    this.reads.push(`state ${index}`);
    return super.state(index);
  }

  override leaves(from: number, to: number): ReturnType<MemoryTreeStore['leaves']> {
    this.reads.push(`leaves ${from} to ${to}`);
    return super.leaves(from, to);
  }

  override node(layer: number, place: number): Uint8Array {
    this.reads.push(`node ${place} of ${layer}`);
    return super.node(layer, place);
  }
}

test('a block reads the newest index, and taking it back no more than its leaves', () => {
  const store = new WatchedStore();
  const tree = new CurveTree(store, { hasher: TOY_HASHER });
  const blocks = Array.from({ length: 30 }, (_, height) =>
    Array.from({ length: 40 }, (__, i) => ({ ...outputOf(i), entersAt: BigInt(height + 9) })),
  );
  for (const block of blocks) tree.addBlock(block);
  store.reads.length = 0;
  tree.addBlock(blocks[0]?.map((output) => ({ ...output, entersAt: 39n })) ?? []);
  expect(store.reads).toEqual(['state 38']);
  store.reads.length = 0;
  tree.takeBack(blocks[0] ?? []);
  expect(new Set(store.reads)).toEqual(new Set(['state 38', 'state 39', 'leaves 1200 to 1240']));
});

test('refuses a place, a node and an index that are not there', () => {
  const store = new MemoryTreeStore();
  const tree = new CurveTree(store, { hasher: TOY_HASHER });
  tree.addBlock([{ ...outputOf(1), entersAt: 9n }]);
  expect(store.leaves(0, 1)).toHaveLength(1);
  for (const [from, to] of [
    [0, 2],
    [-1, 1],
  ] as const) {
    expect(() => store.leaves(from, to)).toThrow(RangeError);
  }
  expect(() => store.node(0, 1)).toThrow(RangeError);
  expect(() => store.node(1, 0)).toThrow(RangeError);
  expect(() => store.state(10)).toThrow(RangeError);
  expect(() => store.skipped(10)).toThrow(RangeError);
});

/** What native code and databases return: a Buffer, whose slice is a view. */
const BUFFER_HASHER: TreeHasher = {
  leavesOf: (outputs) => TOY_HASHER.leavesOf(outputs),
  grow: (changes) =>
    TOY_HASHER.grow(changes).map((node) => {
      const bytes = Buffer.from(node);
      // The sign of a point, which is no part of its x.
      bytes[31] = 0x80;
      return bytes;
    }),
};

test('nodes and keys that are Buffers are left as they are', () => {
  const shape = { leaves: 2, helios: 2, selene: 2 };
  const store = new MemoryTreeStore();
  const tree = new CurveTree(store, { hasher: BUFFER_HASHER, shape });
  const key = Buffer.alloc(32, 1);
  const outputs = Array.from({ length: 9 }, (_, i) => ({ ...outputOf(i), key, entersAt: 9n }));
  tree.addBlock(outputs);
  const nodes = nodesOf(shape, 9).flatMap((count, layer) =>
    Array.from({ length: count }, (_, place) => store.node(layer, place)[31]),
  );
  expect(nodes).toEqual(nodes.map(() => 0x80));
  expect(edgeOf(BUFFER_HASHER, shape, store, 9)).toEqual(store.state(9).edge);
  expect(store.state(9).edge.map((node) => node[31])).toEqual([0x80, 0x80, 0x80, 0x80]);
  key.fill(2);
  expect(store.leaves(0, 9).every((leaf) => leaf.key[0] === 1)).toBe(true);
});

test('a prepared block is refused once the blocks below are others', () => {
  const of = (height: number, commitments: readonly number[], wait = 0): ScheduledOutput[] =>
    commitments.map((i) => ({ ...outputOf(i), entersAt: BigInt(height + 9 + wait) }));
  const grown = (addition: BlockAddition): OutputGrowth =>
    growByOutputs(TOY_HASHER, MONERO_SHAPE, addition.before, addition.entering);
  const store = new MemoryTreeStore();
  const tree = new CurveTree(store, { hasher: TOY_HASHER });
  tree.addBlock(of(0, [1, 2]));
  // Others in the tree, others that wait, another number; then the same again.
  for (const [before, after] of [
    [of(1, [3]), of(1, [4])],
    [of(1, [3], 1), of(1, [4], 1)],
    [of(1, [3], 5), of(1, [3, 4], 5)],
  ] as const) {
    tree.addBlock(before);
    const block = of(2, [5, 6]);
    const addition = tree.prepare(block);
    tree.takeBack(before);
    tree.addBlock(after);
    const contents = contentsOf(store, MONERO_SHAPE, 30);
    expect(() => tree.add(addition, grown(addition))).toThrow('other blocks');
    expect(contentsOf(store, MONERO_SHAPE, 30)).toEqual(contents);
    tree.takeBack(after);
    tree.addBlock(before);
    const short = { ...grown(addition), hasLeaf: [true] };
    expect(() => tree.add(addition, short)).toThrow('a growth by 1 of');
    tree.add(addition, grown(addition));
    const straight = new MemoryTreeStore();
    const anew = new CurveTree(straight, { hasher: TOY_HASHER });
    for (const each of [of(0, [1, 2]), before, block]) anew.addBlock(each);
    expect(contentsOf(store, MONERO_SHAPE, 30)).toEqual(contentsOf(straight, MONERO_SHAPE, 30));
    tree.takeBack(block);
    tree.takeBack(before);
  }
});
