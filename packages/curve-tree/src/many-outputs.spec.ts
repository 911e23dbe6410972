import { runAtOnce } from '@monero-node/base';
import { createMemoryStore, TREE_ROWS_PER_STEP } from '@monero-node/storage/memory';
import { CurveTree } from './curve-tree.ts';
import { outputsOfIndex } from './entered.ts';
import { growthSteps } from './growth.ts';
import { MemoryTreeStore } from './memory-store.ts';
import type { ScheduledOutput } from './schedule.ts';
import { contentsOf } from './testing/contents.ts';
import { TOY_HASHER } from './testing/toy-hasher.ts';
import { TreeView } from './tree-view.ts';

const SHAPE = { leaves: 5, helios: 3, selene: 4 };
const OPTIONS = { shape: SHAPE, hasher: TOY_HASHER };
const BLOCKS = 6;
const [WAITING, ENTERS_AT] = [1500, BigInt(BLOCKS + 9)];

/** Many outputs of one index in some blocks, every seventh of which has no leaf. The next block lets them in. */
function blockOf(height: number): ScheduledOutput[] {
  return Array.from({ length: WAITING / BLOCKS }, (_, i) => {
    const number = height * (WAITING / BLOCKS) + i;
    const key = Uint8Array.from({ length: 32 }, (__, at) => (number + 3 * at) % 256);
    return { key, commitment: key, kind: 'legacy', entersAt: ENTERS_AT };
  });
}

/** The steps in which all of the outputs are treated once. */
const STEPS = Math.floor(WAITING / 1.2 / TREE_ROWS_PER_STEP);

/** Runs steps, which must be as many as it takes to treat all outputs so many times. */
function* inSteps<T>(
  steps: Generator<undefined, T>,
  times: number,
  seen: number[],
): Generator<undefined, T> {
  let count = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      seen.push(count);
      expect(count).toBeGreaterThanOrEqual(times * STEPS);
      return step.value;
    }
    count++;
    yield;
  }
}

test('an index that lets in many outputs is prepared, added and taken back in steps of some rows', async () => {
  const store = createMemoryStore();
  const whole = new MemoryTreeStore();
  const other = new CurveTree(whole, OPTIONS);
  const blocks = Array.from({ length: BLOCKS }, (_, height) => blockOf(height));
  await store.commit({
    *tree(staged) {
      const tree = new CurveTree(staged, OPTIONS);
      for (const block of blocks) tree.addBlock(block);
      yield;
    },
  });
  const before = contentsOf(store.tree, SHAPE, 40);
  const view = new CurveTree(new TreeView(store.tree, SHAPE, BLOCKS), OPTIONS);
  const seen: number[] = [];
  const addition = runAtOnce(inSteps(view.prepareSteps([]), 1, seen));
  expect(addition.entering).toHaveLength(WAITING);
  const pieces = { outputs: 50, children: 60 };
  const growing = growthSteps(TOY_HASHER, SHAPE, addition.before, addition.entering, pieces);
  const growth = runAtOnce(growing);
  const leaves = growth.hasLeaf.filter(Boolean).length;
  // What waited is read and compared, and in the store also removed and written.
  runAtOnce(inSteps(view.addSteps(addition, growth), 2, seen));
  await store.commit({
    *tree(staged) {
      const tree = new CurveTree(staged, OPTIONS);
      yield* inSteps(tree.addSteps(addition, growth), 4, seen);
    },
  });
  for (const block of [...blocks, []]) other.addBlock(block);
  expect([store.tree.state(BLOCKS + 9).leaves, WAITING > leaves]).toEqual([leaves, true]);
  expect(contentsOf(store.tree, SHAPE, 40)).toEqual(contentsOf(whole, SHAPE, 40));
  // A view below reads what has entered meanwhile.
  const below = new CurveTree(new TreeView(store.tree, SHAPE, BLOCKS), OPTIONS);
  const again = runAtOnce(inSteps(below.prepareSteps([]), 1, seen));
  expect(again.entering).toEqual(addition.entering);
  await store.commit({
    *tree(staged) {
      const tree = new CurveTree(staged, OPTIONS);
      yield* inSteps(tree.takeBackSteps([]), 3, seen);
    },
  });
  expect(contentsOf(store.tree, SHAPE, 40)).toEqual(before);
  expect(seen).toHaveLength(5);
});

test('outputs of an index are complete where it enters or is taken back while they are read', () => {
  const store = new MemoryTreeStore();
  const tree = new CurveTree(store, OPTIONS);
  for (let height = 0; height < BLOCKS; height++) tree.addBlock(blockOf(height));
  const waiting = store.locked(ENTERS_AT);
  const entering = outputsOfIndex(store, ENTERS_AT);
  expect(entering.next().done).toBe(false);
  tree.addBlock([]);
  expect(runAtOnce(entering)).toEqual(waiting);
  const leaving = outputsOfIndex(store, ENTERS_AT);
  expect(leaving.next().done).toBe(false);
  tree.takeBack([]);
  expect(runAtOnce(leaving)).toEqual(waiting);
});
