import type { ChainStore } from '../chain-store.ts';
import type { TreeOutput, StoredTreeReader, TreeStep, TreeStore } from '../tree-store.ts';
import { changeOf } from './loose-block.ts';
import { RandomChain } from './random-chain.ts';
import type { StoreHarness } from './store-harness.ts';

const bytes32 = (value: number): Uint8Array => new Uint8Array(32).fill(value);

function output(unifiedId: number): TreeOutput {
  const kind = unifiedId % 2 === 0 ? 'legacy' : 'carrot';
  return { unifiedId, kind, key: bytes32(unifiedId % 251), commitment: bytes32(7) };
}

const outputs = (...ids: number[]): TreeOutput[] => ids.map(output);

/** Indexes of a tree with nodes of up to two leaves and two children. What waits is above 2^32, as ids may be. */
const STEPS: readonly TreeStep[] = [
  { state: { leaves: 0, outputs: 2, edge: [] }, leaves: [], skipped: outputs(1), nodes: [] },
  {
    state: { leaves: 2, outputs: 4, edge: [bytes32(10)] },
    leaves: outputs(2, 3),
    skipped: [],
    nodes: [{ layer: 0, from: 0, nodes: [bytes32(10)] }],
  },
  {
    state: { leaves: 5, outputs: 9, edge: [bytes32(13), bytes32(22), bytes32(30)] },
    leaves: outputs(4, 5, 8),
    skipped: outputs(6, 7),
    nodes: [
      { layer: 0, from: 1, nodes: [bytes32(12), bytes32(13)] },
      { layer: 1, from: 0, nodes: [bytes32(21), bytes32(22)] },
      { layer: 2, from: 0, nodes: [bytes32(30)] },
    ],
  },
];
const WAITING = 2n ** 64n - 1n;
const HIGH = 2 ** 39;

const CUTS = [
  { leaves: 0, nodes: [], edge: [] },
  { leaves: 0, nodes: [], edge: [] },
  { leaves: 2, nodes: [1], edge: [bytes32(10)] },
];

/** One commit that adds a block and an index; a second one to lock what waits. */
async function addIndex(store: ChainStore, chain: RandomChain, index: number): Promise<void> {
  const { append } = changeOf({ append: chain.blocks(index, 1) });
  await store.commit({
    ...(append && { append }),
    *tree(tree) {
      yield* tree.pushSteps(STEPS[index] as TreeStep);
      yield;
      yield* tree.lockSteps(WAITING, outputs(HIGH + 2 * index, HIGH + 2 * index + 1));
    },
  });
}

function shown(tree: StoredTreeReader): unknown {
  const indexes = tree.indexes();
  const states = Array.from({ length: indexes }, (_, index) => tree.state(index));
  const { leaves = 0, edge = [] } = states.at(-1) ?? {};
  return {
    states,
    leaves: tree.leaves(0, leaves),
    skipped: states.map((_, index) => tree.skipped(index)),
    locked: tree.locked(WAITING),
    waiting: tree.waitingIndexes(0n, 10),
    nodes: edge.map((_, layer) => tree.node(layer, 0)),
  };
}

export function describeTree(current: () => StoreHarness): void {
  describe('the curve tree', () => {
    test('is empty at first, and not touched by blocks', async () => {
      const { store } = current();
      await store.commit(changeOf({ append: new RandomChain('no tree').blocks(0, 3) }));
      await store.commit({ popTo: 0 });
      expect(store.tree.indexes()).toBe(0);
      expect(store.tree.locked(5n)).toEqual([]);
      expect(() => store.tree.state(0)).toThrow(RangeError);
      expect(() => store.tree.leaves(0, 1)).toThrow(RangeError);
      expect(() => store.tree.node(0, 0)).toThrow(RangeError);
      expect(() => store.tree.skipped(0)).toThrow(RangeError);
    });

    test('grows with the blocks of a commit, and shows what was written', async () => {
      const { store } = current();
      const chain = new RandomChain('tree');
      for (const index of STEPS.keys()) await addIndex(store, chain, index);
      expect(shown(store.tree)).toEqual({
        states: STEPS.map(({ state }) => state),
        leaves: outputs(2, 3, 4, 5, 8),
        skipped: [outputs(1), [], outputs(6, 7)],
        locked: Array.from({ length: 6 }, (_, i) => output(HIGH + i)),
        waiting: [WAITING],
        nodes: [bytes32(10), bytes32(21), bytes32(30)],
      });
      expect(store.tree.node(0, 2)).toEqual(bytes32(13));
      expect(() => store.tree.node(0, 3)).toThrow(RangeError);
      expect(() => store.tree.node(3, 0)).toThrow(RangeError);
      expect(() => store.tree.state(3)).toThrow(RangeError);
      expect(() => store.tree.state(-1)).toThrow(RangeError);
      expect(() => store.tree.leaves(4, 6)).toThrow(RangeError);
      expect(store.tree.locked(WAITING + 1n)).toEqual([]);
    });

    test('is taken back to exactly what it was', async () => {
      const { store, rawDump } = current();
      const chain = new RandomChain('tree');
      // The first index makes the tables.
      await addIndex(store, chain, 0);
      const before: [unknown, string][] = [];
      for (const index of [1, 2]) {
        before.push([shown(store.tree), rawDump()]);
        await addIndex(store, chain, index);
      }
      for (const index of [2, 1]) {
        await store.commit({
          popTo: index,
          *tree(tree) {
            yield* tree.unlockSteps(WAITING, HIGH + 2 * index);
            yield;
            yield* tree.popSteps(CUTS[index] as (typeof CUTS)[number]);
          },
        });
        expect([shown(store.tree), rawDump()]).toEqual(before.pop());
      }
    });

    test('reads within a change what the change has made', async () => {
      const { store } = current();
      await addIndex(store, new RandomChain('tree'), 0);
      const seen: unknown[] = [];
      await store.commit({
        *tree(tree: TreeStore) {
          yield* tree.pushSteps(STEPS[1] as TreeStep);
          yield* tree.unlockSteps(WAITING, HIGH + 1);
          yield;
          yield* tree.lockSteps(6n, outputs(5));
          yield* tree.unlockSteps(6n, 6);
          seen.push(tree.indexes(), tree.node(0, 0), tree.locked(WAITING), tree.locked(6n));
          // Nobody else sees it before the commit.
          seen.push(store.tree.indexes(), store.tree.locked(6n));
          yield* tree.unlockSteps(6n, 0);
        },
      });
      expect(seen).toEqual([2, bytes32(10), outputs(HIGH), outputs(5), 1, []]);
      expect([store.tree.indexes(), store.tree.locked(6n)]).toEqual([2, []]);
    });

    test('a change that fails changes nothing, neither blocks nor tree', async () => {
      const { store, rawDump } = current();
      const chain = new RandomChain('tree');
      await addIndex(store, chain, 0);
      const before = [shown(store.tree), rawDump()];
      const { append } = changeOf({ append: chain.blocks(1, 1) });
      const failing = store.commit({
        ...(append && { append }),
        *tree(tree) {
          yield* tree.pushSteps(STEPS[1] as TreeStep);
          yield;
          throw new RangeError('another tree');
        },
      });
      await expect(failing).rejects.toThrow('another tree');
      expect([shown(store.tree), rawDump()]).toEqual(before);
      expect(store.height).toBe(1);
    });

    test('is emptied with the chain', async () => {
      const { store } = current();
      const chain = new RandomChain('tree');
      for (const index of STEPS.keys()) await addIndex(store, chain, index);
      await store.commit({ popTo: 0 });
      expect(store.tree.indexes()).toBe(0);
      expect(store.tree.locked(WAITING)).toEqual([]);
      expect(() => store.tree.node(0, 0)).toThrow(RangeError);
      await addIndex(store, new RandomChain('other'), 0);
      expect(store.tree.indexes()).toBe(1);
    });

    test('arrays that were read may be changed', async () => {
      const { store } = current();
      const chain = new RandomChain('tree');
      for (const index of STEPS.keys()) await addIndex(store, chain, index);
      const before = shown(store.tree);
      store.tree.node(0, 0).fill(0);
      store.tree.leaves(0, 1)[0]?.key.fill(0);
      store.tree.state(2).edge[0]?.fill(0);
      expect(shown(store.tree)).toEqual(before);
    });
  });
}
