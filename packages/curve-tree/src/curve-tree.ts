import { runAtOnce } from '@monero-node/base';
import type { CurveTreeRoot } from '@monero-node/codec';
import { checkCurveTree, TREE_AHEAD } from '@monero-node/consensus';
import { enteredSteps } from './entered.ts';
import { growByOutputs, type OutputGrowth } from './growth.ts';
import { REFERENCE_HASHER, type TreeHasher } from './hasher.ts';
import type { ScheduledOutput } from './schedule.ts';
import { TreeRootReader } from './tree-root-reader.ts';
import { MONERO_SHAPE, nodesOf, type TreeShape } from './shape.ts';
import type { TreeOutput, TreeState, TreeStore } from '@monero-node/storage/memory';
import { isSameState, sameOutputsSteps } from './comparisons.ts';

const EMPTY: TreeState = { leaves: 0, outputs: 0, edge: [] };

/** What may be replaced. */
export interface CurveTreeOptions {
  /** The reference by default. */
  readonly hasher?: TreeHasher;
  /** Monero's by default. */
  readonly shape?: TreeShape;
}

/** A block that a tree is to grow by. */
export interface BlockAddition {
  /** Which the block adds. */
  readonly index: number;
  readonly before: TreeState;
  /** Those that had waited for the index and those of the block, in the order of their unified ids. */
  readonly entering: readonly TreeOutput[];
  /** Outputs of the block that enter later, by index. */
  readonly later: ReadonlyMap<bigint, readonly TreeOutput[]>;
  /** How many the block has. */
  readonly outputs: number;
}

/**
 * The curve tree of a chain, grown by a block and taken back by one. Tree index k has the outputs whose last locked index is k or less, so
 * that the tree after block h has the indexes 0 … h + 9. Every state is a function of the blocks alone, whatever was taken back before.
 *
 * Sources: advance_tree, trim_block and trim_tree in src/blockchain_db/blockchain_db.cpp.
 */
export class CurveTree extends TreeRootReader {
  readonly #store: TreeStore;
  readonly #hasher: TreeHasher;
  readonly #shape: TreeShape;

  constructor(store: TreeStore, options: CurveTreeOptions = {}) {
    super(store);
    this.#store = store;
    this.#hasher = options.hasher ?? REFERENCE_HASHER;
    this.#shape = options.shape ?? MONERO_SHAPE;
  }

  /**
   * Grows the tree by the next block, on the calling thread. Throws RangeError, before anything is written, for an output that would enter
   * before it may be spent.
   */
  addBlock(outputs: readonly ScheduledOutput[]): void {
    const addition = this.prepare(outputs);
    const { before, entering } = addition;
    const growth = growByOutputs(this.#hasher, this.#shape, before, entering);
    runAtOnce(this.#writeSteps(addition, growth));
  }

  /**
   * Returns what the next block changes before anything is computed, for callers that let a thread do `growByOutputs`. Throws RangeError as
   * `addBlock` does.
   */
  prepare(outputs: readonly ScheduledOutput[]): BlockAddition {
    return runAtOnce(this.prepareSteps(outputs));
  }

  /** Does the same in steps: any number of outputs may have waited for the index. */
  *prepareSteps(outputs: readonly ScheduledOutput[]): Generator<undefined, BlockAddition> {
    const index = this.blocks + TREE_AHEAD;
    if (outputs.some(({ entersAt }) => entersAt < BigInt(index))) {
      throw new RangeError(`an output enters before index ${index}`);
    }
    const before = this.#newest(index);
    const later = groupsOf(outputs, before.outputs);
    const fresh = later.get(BigInt(index)) ?? [];
    later.delete(BigInt(index));
    const entering = [...(yield* this.#store.lockedSteps(BigInt(index))), ...fresh];
    return { index, before, entering, later, outputs: outputs.length };
  }

  /** Returns the state below the next index. */
  #newest(index: number): TreeState {
    return index === TREE_AHEAD ? EMPTY : this.#store.state(index - 1);
  }

  /**
   * Writes a block that was prepared. Throws RangeError, before anything is written, if the tree is not the one that the block was prepared
   * for, be it that it has grown, was taken back or has other blocks by now, and if the growth is that of another number of outputs.
   */
  add(addition: BlockAddition, growth: OutputGrowth): void {
    runAtOnce(this.addSteps(addition, growth));
  }

  /** Does the same in steps, after the last of which the block is added. */
  *addSteps(addition: BlockAddition, growth: OutputGrowth): Generator<undefined, void> {
    const { index, before, entering } = addition;
    if (index !== this.blocks + TREE_AHEAD) throw new RangeError(`index ${index} is not the next`);
    const waited = entering.filter(({ unifiedId }) => unifiedId < before.outputs);
    const isSame =
      isSameState(this.#newest(index), before) &&
      (yield* sameOutputsSteps(yield* this.#store.lockedSteps(BigInt(index)), waited));
    if (!isSame) {
      throw new RangeError(`the tree has other blocks below index ${index}`);
    }
    if (growth.hasLeaf.length !== entering.length) {
      throw new RangeError(`a growth by ${growth.hasLeaf.length} of ${entering.length} outputs`);
    }
    yield* this.#writeSteps(addition, growth);
  }

  *#writeSteps(
    { index, before, entering, later, outputs }: BlockAddition,
    growth: OutputGrowth,
  ): Generator<undefined, void> {
    const leaves = entering.filter((_, i) => growth.hasLeaf[i] === true);
    const skipped = entering.filter((_, i) => growth.hasLeaf[i] !== true);
    if (index === TREE_AHEAD) for (let i = 0; i < TREE_AHEAD; i++) yield* this.#push(EMPTY);
    for (const [entersAt, group] of later) yield* this.#store.lockSteps(entersAt, group);
    yield* this.#store.unlockSteps(BigInt(index), 0);
    const state = {
      leaves: before.leaves + leaves.length,
      outputs: before.outputs + outputs,
      edge: growth.edge,
    };
    yield* this.#store.pushSteps({ state, leaves, skipped, nodes: growth.nodes });
  }

  #push(state: TreeState): Generator<undefined, void> {
    return this.#store.pushSteps({ state, leaves: [], skipped: [], nodes: [] });
  }

  /**
   * Takes back the newest block: what it let in is locked again, and what it made is forgotten. Computes nothing. Throws RangeError if there
   * is no block, or if it had another number of outputs.
   *
   * @param outputs of the block, as they were added, of which only the index is read
   */
  takeBack(outputs: readonly Pick<ScheduledOutput, 'entersAt'>[]): void {
    runAtOnce(this.takeBackSteps(outputs));
  }

  /** Does the same in steps, after the last of which the block is taken back. */
  *takeBackSteps(
    outputs: readonly Pick<ScheduledOutput, 'entersAt'>[],
  ): Generator<undefined, void> {
    const index = this.#store.indexes() - 1;
    if (index < TREE_AHEAD) throw new RangeError('the tree has no block');
    const [before, now] = [this.#store.state(index - 1), this.#store.state(index)];
    if (now.outputs - before.outputs !== outputs.length) {
      throw new RangeError(`the block has ${now.outputs - before.outputs} outputs`);
    }
    const entered = yield* enteredSteps(this.#store, index);
    const back = entered.filter(({ unifiedId }) => unifiedId < before.outputs);
    const nodes = nodesOf(this.#shape, before.leaves);
    yield* this.#store.popSteps({ leaves: before.leaves, nodes, edge: before.edge });
    for (const entersAt of new Set(outputs.map((output) => output.entersAt))) {
      yield* this.#store.unlockSteps(entersAt, before.outputs);
    }
    if (back.length > 0) yield* this.#store.lockSteps(BigInt(index), back);
    if (index > TREE_AHEAD) return;
    const empty = { leaves: 0, nodes: [], edge: [] };
    for (let i = 0; i < TREE_AHEAD; i++) yield* this.#store.popSteps(empty);
  }

  /**
   * Checks the root of the next block's header, or of one that was added. Throws ConsensusError 'tree-root' when layers or root differ, or when
   * only one of the header and the rules has a tree. Throws RangeError as `rootOfHeader` does where the rules have one: genesis has none.
   *
   * @param tree of the header
   * @param rules whether headers of the block's version have a tree
   */
  checkHeader(
    height: number,
    tree: CurveTreeRoot | undefined,
    rules: { readonly curveTree: boolean },
  ): void {
    checkCurveTree(tree, rules.curveTree ? this.rootOfHeader(height) : undefined, height);
  }
}

/** Gives outputs their unified ids, and puts those together that enter at the same index. */
function groupsOf(outputs: readonly ScheduledOutput[], firstId: number): Map<bigint, TreeOutput[]> {
  const groups = new Map<bigint, TreeOutput[]>();
  for (const [i, { key, commitment, kind, entersAt }] of outputs.entries()) {
    const group = groups.get(entersAt) ?? [];
    group.push({ unifiedId: firstId + i, kind, key: copyOf(key), commitment: copyOf(commitment) });
    groups.set(entersAt, group);
  }
  return groups;
}

/** A parsed transaction has views of its blob, which is larger. The slice of a Buffer would be another view. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
