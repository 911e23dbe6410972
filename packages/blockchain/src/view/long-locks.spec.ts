import { Yielder } from '@monero-node/base';
import type { TreeOutput } from '@monero-node/storage';
import { LongLocks } from './long-locks.ts';

const UNSETTLED = 1000;
const TREE_AHEAD = 9;

function outputOf(unifiedId: number): TreeOutput {
  return {
    unifiedId,
    key: new Uint8Array(32),
    commitment: new Uint8Array(32),
    kind: 'legacy',
  };
}

/**
 * A tree that counts how often it is read. One output enters at each index: that of the block 59 before it or, at some, one of a block long ago. An
 * output with a bad key never has a leaf.
 */
class CountedTree {
  reads = 0;
  indexCount: number;
  long: ReadonlySet<number>;
  skippedAt = new Set<number>();
  /** Tells states of replaced blocks from those before. */
  mark = 0;

  constructor(indexes: number, long: Iterable<number>) {
    this.indexCount = indexes;
    this.long = new Set(long);
  }

  indexes(): number {
    return this.indexCount;
  }

  state(index: number) {
    this.reads++;
    if (index >= this.indexCount) throw new RangeError(`no index ${index}`);
    const skipped = [...this.skippedAt].filter((at) => at <= index).length;
    const edge = [new Uint8Array(32).fill(this.mark)];
    // The state has the outputs of the blocks up to index - 9, one for each.
    return { leaves: index + 1 - skipped, outputs: Math.max(0, index - TREE_AHEAD + 1), edge };
  }

  leaves(from: number, to: number): TreeOutput[] {
    return Array.from({ length: to - from }, (_, i) => this.#enteredAt(from + i));
  }

  // eslint-disable-next-line require-yield -- one step is all
  *skippedSteps(index: number): Generator<undefined, TreeOutput[]> {
    return this.skippedAt.has(index) ? [this.#enteredAt(index)] : [];
  }

  #enteredAt(index: number): TreeOutput {
    return outputOf(this.long.has(index) ? 3 : Math.max(0, index - 59));
  }
}

function setUp(indexes: number, long: Iterable<number>, skippedAt: Iterable<number> = []) {
  const tree = new CountedTree(indexes, long);
  tree.skippedAt = new Set(skippedAt);
  const locks = new LongLocks(tree);
  return { tree, above: (index: number) => locks.above(index, new Yielder()) };
}

test('indexes with outputs that were locked for long are found, with a leaf or without', async () => {
  const { above } = setUp(3000, [100, 200, 1990, 1999, 2000, 2998, 2999], [2999]);
  expect(await above(-1)).toEqual([100, 200, 1990, 1999, 2000, 2998, 2999]);
  expect(await above(199)).toEqual([200, 1990, 1999, 2000, 2998, 2999]);
  expect(await above(200)).toEqual([1990, 1999, 2000, 2998, 2999]);
  expect(await above(2999)).toEqual([]);
});

test('only indexes above the one asked for are read, and settled ones once', async () => {
  const { tree, above } = setUp(100_000, [5000, 98_000, 99_990]);
  expect(await above(97_000)).toEqual([98_000, 99_990]);
  expect(tree.reads).toBeLessThan(10_000);
  tree.reads = 0;
  expect(await above(97_500)).toEqual([98_000, 99_990]);
  expect(tree.reads).toBeLessThan(4 * UNSETTLED);
  tree.reads = 0;
  expect(await above(90_000)).toEqual([98_000, 99_990]);
  // One state for each index that was not read before.
  expect(tree.reads).toBeLessThan(7000 + 4 * UNSETTLED + 200);
});

test('new indexes and those of replaced blocks are read, by calls at the same time too', async () => {
  const { tree, above } = setUp(5000, [3000, 4900]);
  expect(await above(2000)).toEqual([3000, 4900]);
  tree.indexCount = 8000;
  tree.long = new Set([2500, 3000, 4900, 6500, 7999]);
  const all = await Promise.all([above(1000), above(7000), above(4000)]);
  // What was read and is settled is not read again.
  expect(all).toEqual([[3000, 4900, 6500, 7999], [7999], [4900, 6500, 7999]]);
  tree.mark = 1;
  expect(await above(1000)).toEqual([2500, 3000, 4900, 6500, 7999]);
  tree.indexCount = 2600;
  expect(await above(1000)).toEqual([2500]);
});

test('a chain that is shorter than what is not settled has nothing to remember', async () => {
  const { above } = setUp(300, [90]);
  expect(await above(-1)).toEqual([90]);
  expect(await above(90)).toEqual([]);
});
