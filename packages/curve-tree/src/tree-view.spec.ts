import { toHex } from '@monero-node/codec';
import { rulesFor } from '@monero-node/consensus';
import { runAtOnce, seededRandom } from '@monero-node/base';
import { sampleSize } from '@monero-node/base/testing';
import { CurveTree } from './curve-tree.ts';
import { MemoryTreeStore } from './memory-store.ts';
import type { ScheduledOutput } from './schedule.ts';
import { TREE_AHEAD } from '@monero-node/consensus';
import { MONERO_SHAPE, type TreeShape } from './shape.ts';
import { contentsOf } from './testing/contents.ts';
import { readRecordedTrees } from './testing/fixtures.ts';
import { blocksOf, sideBlocks } from './testing/recorded-chain.ts';
import { RememberingHasher } from './testing/remembering-hasher.ts';
import type { TreeOutput } from '@monero-node/storage/memory';
import { TOY_HASHER } from './testing/toy-hasher.ts';
import { TreeView } from './tree-view.ts';

test('the headers of a side chain are checked while the main chain stays', () => {
  const hasher = new RememberingHasher();
  const store = new MemoryTreeStore();
  const main = new CurveTree(store, { hasher });
  for (const { outputs } of blocksOf('long')) main.addBlock(outputs);
  const before = contentsOf(store, MONERO_SHAPE, 400);
  const recorded = readRecordedTrees();
  const view = new TreeView(store, MONERO_SHAPE, recorded.side.fromHeight);
  const side = new CurveTree(view, { hasher });
  for (const { height, version, tree, outputs } of sideBlocks(recorded)) {
    side.checkHeader(height, tree, rulesFor(version));
    side.addBlock(outputs);
  }
  const root = recorded.side.indexes.flatMap(([, edge]) => edge ?? []).at(-1);
  expect(toHex(side.rootAt(view.indexes() - 1).root)).toBe(root);
  expect(contentsOf(store, MONERO_SHAPE, 400)).toEqual(before);
});

const SHAPE: TreeShape = { leaves: 2, helios: 2, selene: 3 };
const OPTIONS = { hasher: TOY_HASHER, shape: SHAPE };

test('a view over a cut tree is the tree of its blocks, and so is the store that it is written to', () => {
  const sequences = sampleSize({ usual: 150, whole: 5_000 });
  for (let seed = 0; seed < sequences; seed++) {
    const random = seededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const blockAt = (height: number): ScheduledOutput[] =>
      Array.from({ length: below(5) }, () => ({
        key: Uint8Array.from({ length: 32 }, () => below(256)),
        commitment: Uint8Array.from({ length: 32 }, () => below(256)),
        kind: 'legacy',
        entersAt: BigInt(height + TREE_AHEAD + (random() < 0.6 ? 0 : below(9))),
      }));
    const main = Array.from({ length: 14 }, (_, height) => blockAt(height));
    const cut = below(main.length + 1);
    const store = new MemoryTreeStore();
    const tree = new CurveTree(store, OPTIONS);
    for (const block of main) tree.addBlock(block);
    const view = new TreeView(store, SHAPE, cut);
    const side = new CurveTree(view, OPTIONS);
    const blocks = main.slice(0, cut);
    for (let step = 0; step < 20; step++) {
      if (random() < 0.6) {
        const block = blockAt(blocks.length);
        side.addBlock(block);
        blocks.push(block);
      } else if (blocks.length > 0) side.takeBack(blocks.pop() as ScheduledOutput[]);
    }
    const straight = new MemoryTreeStore();
    const anew = new CurveTree(straight, OPTIONS);
    for (const block of blocks) anew.addBlock(block);
    expect(contentsOf(view, SHAPE, 60)).toEqual(contentsOf(straight, SHAPE, 60));
    for (const block of main.slice(view.cut).reverse()) tree.takeBack(block);
    view.writeTo(store);
    expect(contentsOf(store, SHAPE, 60)).toEqual(contentsOf(straight, SHAPE, 60));
  }
});

test('a view needs the blocks that it is cut at', () => {
  const store = new MemoryTreeStore();
  expect(() => new TreeView(store, SHAPE, 1)).toThrow(RangeError);
  const view = new TreeView(store, SHAPE, 0);
  expect([view.indexes(), view.cut]).toEqual([0, 0]);
  new CurveTree(store, OPTIONS).addBlock([]);
  expect(() => view.writeTo(store)).toThrow(RangeError);
});

const chain = (last: ScheduledOutput[]): ScheduledOutput[][] => [
  [outputOf(1, 9n), outputOf(2, 9n)],
  [outputOf(3, 10n)],
  last,
];

function outputOf(i: number, entersAt: bigint): ScheduledOutput {
  return {
    key: new Uint8Array(32).fill(1),
    commitment: new Uint8Array(32).fill(i),
    kind: 'carrot',
    entersAt,
  };
}

test.each([
  ['outputs that are in the tree', outputOf(4, 11n), outputOf(5, 11n)],
  ['more outputs, which wait', outputOf(4, 20n), undefined],
])('a view is dead when the stored tree has other blocks below its cut: %s', (_, one, other) => {
  const store = new MemoryTreeStore();
  const tree = new CurveTree(store, OPTIONS);
  for (const block of chain([one])) tree.addBlock(block);
  const view = new TreeView(store, SHAPE, 3);
  const side = new CurveTree(view, OPTIONS);
  side.addBlock([outputOf(6, 12n)]);
  tree.takeBack([one]);
  expect(() => view.indexes()).toThrow('other blocks');
  const others = other === undefined ? [one, one] : [other];
  tree.addBlock(others);
  const contents = contentsOf(store, SHAPE, 40);
  expect(() => view.indexes()).toThrow('other blocks');
  expect(() => view.state(3)).toThrow('other blocks');
  expect(() => {
    side.addBlock([]);
  }).toThrow('other blocks');
  expect(() => {
    view.writeTo(store);
  }).toThrow('other blocks');
  expect(contentsOf(store, SHAPE, 40)).toEqual(contents);
  tree.takeBack(others);
  tree.addBlock([one]);
  expect(view.indexes()).toBe(13);
});

test('a view is not written over other outputs that waited when one of its own has entered', () => {
  const store = new MemoryTreeStore();
  const tree = new CurveTree(store, OPTIONS);
  for (const block of chain([outputOf(4, 12n)])) tree.addBlock(block);
  const view = new TreeView(store, SHAPE, 3);
  new CurveTree(view, OPTIONS).addBlock([]);
  tree.takeBack([outputOf(4, 12n)]);
  tree.addBlock([outputOf(5, 12n)]);
  expect(() => {
    view.writeTo(store);
  }).toThrow('other outputs wait');
  expect(store.indexes()).toBe(12);
});

/** Counts what it is asked to lock. */
class LockingStore extends MemoryTreeStore {
  readonly locks: number[] = [];

  override *lockSteps(index: bigint, outputs: readonly TreeOutput[]): Generator<undefined, void> {
    this.locks.push(outputs.length);
    yield* super.lockSteps(index, outputs);
  }
}

test('a view locks nothing for outputs that wait in the stored tree already', () => {
  const store = new LockingStore();
  const tree = new CurveTree(store, OPTIONS);
  const last = [outputOf(4, 30n)];
  for (const block of [[outputOf(1, 9n), outputOf(2, 11n)], [], last]) tree.addBlock(block);
  const view = new TreeView(store, SHAPE, 3);
  const side = new CurveTree(view, OPTIONS);
  // The second output waits for index 11 again, in the view and in the store.
  side.takeBack(last);
  tree.takeBack(last);
  store.locks.length = 0;
  view.writeTo(store);
  expect(store.locks).toEqual([]);
  expect([view.locked(11n).length, store.locked(11n).length]).toEqual([1, 1]);
});

test('what waits is handed out as it is, whatever is locked afterwards', () => {
  const store = new MemoryTreeStore();
  runAtOnce(store.lockSteps(9n, [{ ...outputOf(1, 9n), unifiedId: 0 }]));
  const waiting = store.locked(9n);
  runAtOnce(store.lockSteps(9n, [{ ...outputOf(1, 9n), unifiedId: 1 }]));
  runAtOnce(store.unlockSteps(9n, 1));
  expect(store.locked(9n)).toEqual(waiting);
  runAtOnce(store.unlockSteps(9n, 0));
  expect([waiting.length, store.locked(9n).length]).toEqual([1, 0]);
});
