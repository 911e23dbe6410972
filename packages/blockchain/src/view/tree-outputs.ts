import { inSlices, type Yielder } from '@monero-node/base';
import { TREE_AHEAD } from '@monero-node/consensus';
import { lastLockedIndex, outputsOfIndex, TreePaths } from '@monero-node/curve-tree';
import type { ChainReader, TreeOutput } from '@monero-node/storage';
import { StorageError } from '@monero-node/storage/memory';
import { decodeStoredBase } from './stored-transaction.ts';
import { LongLocks } from './long-locks.ts';

/** Outputs that enter the tree at the same index. */
export interface LockedOutputs {
  /** The last index at which they are locked. */
  readonly entersAt: bigint;
  /** In the order of their unified ids. */
  readonly outputs: readonly TreeOutput[];
}

/** Where an output is in the tree of an index. */
export interface TreeOutputPlace {
  /** Undefined if it has no leaf in that tree. */
  readonly place: number | undefined;
}

/** Blocks whose coinbases a client is told of as locked, besides the block itself: one more than lock them. */
const RECENT_BLOCKS = 60;

/** Finds the outputs of a stored chain in its curve tree, for wallets: by their numbers among all outputs of the chain. */
export class TreeOutputs {
  readonly #store: ChainReader;
  readonly #longLocks: LongLocks;

  constructor(store: ChainReader) {
    this.#store = store;
    this.#longLocks = new LongLocks(store.tree);
  }

  /** Indexes that have a state; those from 0 up to this one have a tree. */
  get indexes(): number {
    return this.#store.tree.indexes();
  }

  /** Returns the tree of an index, to read paths from. Throws RangeError for an index that the chain does not have. */
  pathsAt(index: number): TreePaths {
    return new TreePaths(this.#store.tree, index);
  }

  /** Returns the unified ids of a transaction's outputs, in their order; undefined for a block that the tree does not have yet. */
  idsOf(height: number, position: number): number[] | undefined {
    if (height + TREE_AHEAD >= this.indexes) return undefined;
    let first = this.#outputsBelow(height);
    for (let before = 0; before < position; before++)
      first += this.#store.outputIndices(height, before).length;
    const { length } = this.#store.outputIndices(height, position);
    return Array.from({ length }, (_, i) => first + i);
  }

  /**
   * Returns where an output is in a tree; undefined for an output that the chain does not have.
   *
   * @param unifiedId any whole number
   */
  find(paths: TreePaths, unifiedId: bigint): TreeOutputPlace | undefined {
    const { tree } = this.#store;
    if (unifiedId >= BigInt(tree.indexes() === 0 ? 0 : tree.state(tree.indexes() - 1).outputs))
      return undefined;
    const id = Number(unifiedId);
    return { place: paths.find(id, this.#entersAt(id)) };
  }

  /** Returns how many outputs the blocks below a height have. */
  #outputsBelow(height: number): number {
    return height === 0 ? 0 : this.#store.tree.state(height - 1 + TREE_AHEAD).outputs;
  }

  #entersAt(id: number): bigint {
    const height = this.#heightOf(id);
    let end = this.#outputsBelow(height);
    for (let position = 0; ; position++) {
      const { length } = this.#store.outputIndices(height, position);
      if (length === 0 && this.#store.txBase(height, position) === undefined) break;
      end += length;
      if (id < end) return lastLockedIndex(this.#unlockTime(height, position), height);
    }
    throw new StorageError('damaged', `block ${height} has fewer outputs than the curve tree`);
  }

  /** Returns the height of the block with an output that the chain has. */
  #heightOf(id: number): number {
    let [from, to] = [0, this.indexes - TREE_AHEAD - 1];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (this.#outputsBelow(middle + 1) > id) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #unlockTime(height: number, position: number): bigint {
    const stored = this.#store.tx(height, position);
    const parsed = stored && decodeStoredBase(stored);
    if (parsed === undefined) {
      const what = `transaction ${position} of block ${height} cannot be read`;
      throw new StorageError('damaged', what);
    }
    return parsed.parts.unlockTime;
  }

  /**
   * Resolves with what a wallet that begins above a block has to know of the outputs up to it: those that enter the tree later, and those that
   * enter at the index of the block or the one before, by the index at which they do, ascending. Outputs that get no leaf are among
   * them. Source: `get_recent_locked_outputs` and what lists custom time locks in upstream's LMDB.
   *
   * Throws RangeError for a block that the tree does not have, or that was replaced meanwhile.
   *
   * @param onCount called with how many outputs have been found so far, whenever there are more: it may throw, to end this
   */
  async lockedAt(
    height: number,
    yielder: Yielder,
    onCount?: (outputs: number) => void,
  ): Promise<LockedOutputs[]> {
    const { tree } = this.#store;
    const id = this.#idAt(height);
    const { outputs: below } = tree.state(height + TREE_AHEAD);
    const locked: LockedOutputs[] = [];
    let count = 0;
    const add = async (entersAt: bigint): Promise<void> => {
      await yielder.yieldIfDue();
      const all = await inSlices(outputsOfIndex(tree, entersAt), yielder);
      const outputs = all.filter(({ unifiedId }) => unifiedId < below);
      if (outputs.length === 0) return;
      onCount?.((count += outputs.length));
      locked.push({ entersAt, outputs });
    };
    const recent = height + RECENT_BLOCKS;
    // Blocks may come meanwhile: what waits now may have entered when it is looked up.
    const { indexes } = this;
    for (let index = Math.max(0, height - 1); index <= recent && index < indexes; index++)
      await add(BigInt(index));
    for (const index of await this.#longLocks.above(recent, yielder))
      if (index < indexes) await add(BigInt(index));
    for (let next: bigint | undefined = BigInt(indexes); next !== undefined;) {
      await add(next);
      next = this.#nextLocked(next + 1n);
    }
    if (this.#idAt(height) !== id) throw new RangeError(`block ${height} was replaced`);
    return locked;
  }

  /** Returns the lowest index from one on that has a state or for which outputs wait. */
  #nextLocked(from: bigint): bigint | undefined {
    if (from < BigInt(this.indexes)) return from;
    return this.#store.tree.waitingIndexes(from, 1)[0];
  }

  /** Returns what tells a block from others of its height. */
  #idAt(height: number): string {
    const meta = this.#store.blockMeta(height);
    if (meta === undefined || height + TREE_AHEAD >= this.indexes)
      throw new RangeError(`the tree does not have block ${height}`);
    return Buffer.from(meta.id).toString('latin1');
  }
}
