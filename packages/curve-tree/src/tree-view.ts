import { runAtOnce } from '@monero-node/base';
import { lockIn, unlockIn, type Waiting } from './memory-store.ts';
import { TREE_AHEAD } from '@monero-node/consensus';
import { nodesOf, type TreeShape } from './shape.ts';
import type {
  TreeCut,
  TreeOutput,
  TreeReader,
  TreeState,
  TreeStep,
  TreeStore,
} from '@monero-node/storage/memory';
import { areSameOutputs, isSameState } from './comparisons.ts';
import { outputsOfIndex } from './entered.ts';

/** The part of the stored tree under a view: all that indexes below a number say. */
interface Floor {
  readonly indexes: number;
  readonly state: TreeState;
  readonly nodes: readonly number[];
}

/**
 * A tree above a stored one that is cut at a block: for blocks that are verified before they are stored, and for the roots of side chains.
 * The stored tree is only read, and nothing of it is computed anew; what the view adds is kept in memory.
 *
 * What waited for an index in the stored tree at the cut is told from unified ids: outputs of blocks above have higher ones. So a
 * view costs nothing to make, however deep the cut is.
 *
 * A view dies when the stored tree is taken back below the cut, also if that tree grows again afterwards: make another. From then on
 * `indexes` and `state`, which every use by a `CurveTree` begins with, throw RangeError. Blocks in place of others that have as many outputs, all
 * of which still wait, are not seen so; `writeTo` sees them when one of them has entered.
 */
export class TreeView implements TreeStore {
  readonly #base: TreeReader;
  readonly #shape: TreeShape;
  #floor: Floor;
  readonly #steps: TreeStep[] = [];
  readonly #leaves: TreeOutput[] = [];
  readonly #layers: Map<number, Uint8Array>[] = [];
  readonly #locked: Waiting = new Map<bigint, TreeOutput[]>();

  /**
   * Throws RangeError if the stored tree has fewer blocks.
   *
   * @param blocks how many of the stored tree's are left
   */
  constructor(base: TreeReader, shape: TreeShape, blocks: number) {
    this.#base = base;
    this.#shape = shape;
    this.#floor = this.#floorAt(blocks === 0 ? 0 : blocks + TREE_AHEAD);
  }

  #floorAt(indexes: number): Floor {
    const state =
      indexes === 0 ? { leaves: 0, outputs: 0, edge: [] } : this.#base.state(indexes - 1);
    return { indexes, state, nodes: nodesOf(this.#shape, state.leaves) };
  }

  /** Blocks of the stored tree that are under the view. */
  get cut(): number {
    return Math.max(0, this.#floor.indexes - TREE_AHEAD);
  }

  indexes(): number {
    this.#checkFloorOf(this.#base);
    return this.#floor.indexes + this.#steps.length;
  }

  /** Throws RangeError if a tree has not the blocks below the cut. */
  #checkFloorOf(tree: TreeReader): void {
    const { indexes, state } = this.#floor;
    if (indexes === 0) return;
    if (tree.indexes() < indexes || !isSameState(tree.state(indexes - 1), state)) {
      throw new RangeError(`the tree has other blocks below index ${indexes}`);
    }
  }

  state(index: number): TreeState {
    this.#checkFloorOf(this.#base);
    if (index < this.#floor.indexes) return this.#base.state(index);
    return this.#step(index).state;
  }

  #step(index: number): TreeStep {
    const step = this.#steps[index - this.#floor.indexes];
    if (step === undefined) throw new RangeError(`no index ${index}`);
    return step;
  }

  leaves(from: number, to: number): readonly TreeOutput[] {
    const { leaves } = this.#floor.state;
    if (to > leaves + this.#leaves.length) throw new RangeError(`no leaves ${from} to ${to}`);
    const stored = from < leaves ? this.#base.leaves(from, Math.min(to, leaves)) : [];
    const own = this.#leaves.slice(Math.max(0, from - leaves), Math.max(0, to - leaves));
    return [...stored, ...own];
  }

  node(layer: number, place: number): Uint8Array {
    const own = this.#layers[layer]?.get(place);
    if (own !== undefined) return own;
    const { nodes, state } = this.#floor;
    const count = nodes[layer] ?? 0;
    if (place >= count) throw new RangeError(`no node ${place} of layer ${layer}`);
    // The stored tree may have changed the last node of a layer since.
    return place === count - 1 ? (state.edge[layer] as Uint8Array) : this.#base.node(layer, place);
  }

  *lockedSteps(index: bigint): Generator<undefined, readonly TreeOutput[]> {
    if (index < BigInt(this.indexes())) return [];
    // What waited when the stored tree was at the floor: it waits still, or was let in afterwards.
    const { outputs } = this.#floor.state;
    const stored = yield* outputsOfIndex(this.#base, index);
    const below = stored.filter(({ unifiedId }) => unifiedId < outputs);
    return [...below, ...(this.#locked.get(index) ?? [])];
  }

  locked(index: bigint): readonly TreeOutput[] {
    return runAtOnce(this.lockedSteps(index));
  }

  *skippedSteps(index: number): Generator<undefined, readonly TreeOutput[]> {
    if (index >= this.#floor.indexes) return this.#step(index).skipped;
    return yield* this.#base.skippedSteps(index);
  }

  skipped(index: number): readonly TreeOutput[] {
    return runAtOnce(this.skippedSteps(index));
  }

  /** Outputs from below the floor wait by themselves. */
  *lockSteps(index: bigint, outputs: readonly TreeOutput[]): Generator<undefined, void> {
    yield;
    const { outputs: below } = this.#floor.state;
    const own = outputs.filter(({ unifiedId }) => unifiedId >= below);
    lockIn(this.#locked, index, own);
  }

  *unlockSteps(index: bigint, fromUnifiedId: number): Generator<undefined, void> {
    yield;
    unlockIn(this.#locked, index, fromUnifiedId);
  }

  *pushSteps(step: TreeStep): Generator<undefined, void> {
    yield;
    this.#steps.push(step);
    for (const leaf of step.leaves) this.#leaves.push(leaf);
    for (const { layer, from, nodes } of step.nodes) {
      const kept = (this.#layers[layer] ??= new Map<number, Uint8Array>());
      for (const [i, node] of nodes.entries()) kept.set(from + i, node);
    }
  }

  /** Below the floor, the floor is moved, so that a view can take back blocks that it did not add. */
  *popSteps({ leaves, nodes, edge }: TreeCut): Generator<undefined, void> {
    yield;
    const popped = this.#steps.pop();
    if (popped === undefined) {
      this.#floor = this.#floorAt(this.#floor.indexes - 1);
      return;
    }
    this.#leaves.length = leaves - this.#floor.state.leaves;
    if (this.#steps.length === 0) {
      this.#layers.length = 0;
      return;
    }
    for (const { layer, from, nodes: run } of popped.nodes) {
      const kept = this.#layers[layer];
      const last = (nodes[layer] ?? 0) - 1;
      for (let place = from; place < from + run.length; place++) kept?.delete(place);
      if (last >= from && edge[layer] !== undefined) kept?.set(last, edge[layer]);
    }
  }

  /**
   * Writes what was added to a store that has the blocks of the cut and no other: outputs that wait, and every index. Throws RangeError,
   * before anything is written, if the store has others.
   */
  writeTo(store: TreeStore): void {
    if (store.indexes() !== this.#floor.indexes) {
      throw new RangeError(`the store has ${store.indexes()} indexes, not ${this.#floor.indexes}`);
    }
    this.#checkFloorOf(store);
    for (const [i, { leaves, skipped }] of this.#steps.entries()) {
      const index = BigInt(this.#floor.indexes + i);
      const waited = [...leaves, ...skipped]
        .filter(({ unifiedId }) => unifiedId < this.#floor.state.outputs)
        .sort((a, b) => a.unifiedId - b.unifiedId);
      if (!areSameOutputs(store.locked(index), waited)) {
        throw new RangeError(`other outputs wait for index ${index} in the store`);
      }
    }
    for (const [index, outputs] of this.#locked) runAtOnce(store.lockSteps(index, outputs));
    for (const step of this.#steps) {
      runAtOnce(store.unlockSteps(BigInt(store.indexes()), 0));
      runAtOnce(store.pushSteps(step));
    }
  }
}
