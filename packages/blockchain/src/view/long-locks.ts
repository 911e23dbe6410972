import { inSlices, type Yielder } from '@monero-node/base';
import { TREE_AHEAD } from '@monero-node/consensus';
import { isSameState } from '@monero-node/curve-tree';
import type { ChainReader, TreeState } from '@monero-node/storage';

/** Outputs that enter more indexes than this after their block were locked by a time of their own: a miner's enter after 59. */
const LONGEST_USUAL = 60;
/** The newest indexes are read anew each time: blocks of their height may be replaced. */
const UNSETTLED = 1000;

/** Indexes that were read, from 0 on. */
interface ReadIndexes {
  readonly indexes: number;
  /** Of the last one; undefined without one. */
  readonly state: TreeState | undefined;
}

const NOTHING_READ: ReadIndexes = { indexes: 0, state: undefined };

/**
 * Knows the indexes of a stored tree at which outputs have entered that were locked for longer than a miner's. The store does not list them;
 * so all indexes are read when they are first asked for, some microseconds each, and the new ones afterwards. A number is kept for
 * each index found.
 */
export class LongLocks {
  readonly #tree: ChainReader['tree'];
  #settled: number[] = [];
  #read: ReadIndexes = NOTHING_READ;

  constructor(tree: ChainReader['tree']) {
    this.#tree = tree;
  }

  /** Resolves with those above an index, ascending. */
  async above(index: number, yielder: Yielder): Promise<number[]> {
    const settled = await this.#readSettled(yielder);
    const found = settled.filter((at) => at > index);
    for (let at = Math.max(this.#read.indexes, index + 1); at < this.#tree.indexes(); at++) {
      await yielder.yieldIfDue();
      if (await inSlices(this.#isLongSteps(at), yielder)) found.push(at);
    }
    return found;
  }

  async #readSettled(yielder: Yielder): Promise<readonly number[]> {
    if (!this.#stillHas(this.#read)) {
      this.#settled = [];
      this.#read = NOTHING_READ;
    }
    const end = this.#tree.indexes() - UNSETTLED;
    for (let at = this.#read.indexes; at < end; at = this.#read.indexes) {
      if (await inSlices(this.#isLongSteps(at), yielder)) this.#settled.push(at);
      this.#read = { indexes: at + 1, state: this.#tree.state(at) };
      await yielder.yieldIfDue();
    }
    return this.#settled;
  }

  #stillHas({ indexes, state }: ReadIndexes): boolean {
    if (state === undefined) return true;
    return this.#tree.indexes() >= indexes && isSameState(this.#tree.state(indexes - 1), state);
  }

  *#isLongSteps(index: number): Generator<undefined, boolean> {
    const tree = this.#tree;
    const lastBlock = index - LONGEST_USUAL - 1;
    if (index >= tree.indexes() || lastBlock < 0) return false;
    const { outputs: old } = tree.state(lastBlock + TREE_AHEAD);
    const from = tree.state(index - 1).leaves;
    const isOld = ({ unifiedId }: { readonly unifiedId: number }): boolean => unifiedId < old;
    // The oldest is the first.
    const [first] = from < tree.state(index).leaves ? tree.leaves(from, from + 1) : [];
    if (first !== undefined && isOld(first)) return true;
    return (yield* tree.skippedSteps(index)).some(isOld);
  }
}
