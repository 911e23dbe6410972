import { BoundedMap, inSlices, type Yielder } from '@monero-node/base';
import { TREE_AHEAD } from '@monero-node/consensus';
import { isSameState } from '@monero-node/curve-tree';
import type { ChainReader, TreeState } from '@monero-node/storage';

/** Outputs that enter more indexes than this after their block were locked by a time of their own: a miner's enter after 59. */
const LONGEST_USUAL = 60;
/** The newest indexes are read anew each time: blocks of their height may be replaced. */
const UNSETTLED = 1000;
/** States that are kept while indexes are read side by side: each is needed three times within 60 indexes. */
const STATES_KEPT = 128;

/** What is read of a stored tree. */
type ReadTree = Pick<ChainReader['tree'], 'indexes' | 'state' | 'leaves' | 'skippedSteps'>;

/** Indexes that were read, side by side. */
interface ReadIndexes {
  readonly from: number;
  /** Behind the last one. */
  readonly to: number;
  /** State of the last one: if there is another one, blocks were replaced. */
  readonly last: TreeState;
}

/**
 * Knows the indexes of a stored tree at which outputs have entered that were locked for longer than a miner's. The store does not list them:
 * those above the index that is asked for are read, some microseconds each, unless they were read before. So what one call costs grows with
 * how far behind the chain its wallet is. A number is kept for each index found.
 */
export class LongLocks {
  readonly #tree: ReadTree;
  #read: ReadIndexes | undefined;
  /** Found among those read, ascending. */
  #found: number[] = [];
  /** Found below `#found`, descending. */
  #foundBelow: number[] = [];
  #states = new BoundedMap<number, TreeState>(STATES_KEPT);

  constructor(tree: ReadTree) {
    this.#tree = tree;
  }

  /** Resolves with those above an index, ascending. Calls at the same time share what they read. */
  async above(index: number, yielder: Yielder): Promise<number[]> {
    const first = Math.max(0, index + 1);
    await this.#readFrom(first, yielder);
    const settled = [...this.#foundBelow.toReversed(), ...this.#found].filter((at) => at >= first);
    const unsettled: number[] = [];
    for (let at = Math.max(this.#read?.to ?? first, first); at < this.#tree.indexes(); at++) {
      await yielder.yieldIfDue();
      const steps = this.#isLongSteps(at, (each) => this.#tree.state(each));
      // The chain may have become shorter meanwhile.
      if (at < this.#tree.indexes() && (await inSlices(steps, yielder))) unsettled.push(at);
    }
    return [...settled, ...unsettled];
  }

  /** Reads the settled indexes from one on. Other calls do so in between: an index that one of them was faster with is read again or left out. */
  async #readFrom(first: number, yielder: Yielder): Promise<void> {
    if (this.#read !== undefined && !this.#stillHas(this.#read)) {
      this.#read = undefined;
      this.#states = new BoundedMap(STATES_KEPT);
      [this.#found, this.#foundBelow] = [[], []];
    }
    for (let next = this.#nextToRead(first); next !== undefined; next = this.#nextToRead(first)) {
      const read = this.#read;
      const steps = this.#isLongSteps(next, (index) => this.#settledState(index));
      const isLong = await inSlices(steps, yielder);
      if (this.#read === read) this.#keep(next, isLong);
      await yielder.yieldIfDue();
    }
  }

  /** Returns the index to read next, if any is left: from what is read upwards to those that are not settled, then downwards. */
  #nextToRead(first: number): number | undefined {
    const end = this.#tree.indexes() - UNSETTLED;
    if (this.#read === undefined) {
      if (first >= end) return undefined;
      this.#read = { from: end, to: end, last: this.#tree.state(end - 1) };
    }
    const { from, to } = this.#read;
    const next = to < end ? to : from - 1;
    return next < Math.min(first, to) ? undefined : next;
  }

  /** Notes what an index beside those that are read is. */
  #keep(index: number, isLong: boolean): void {
    const { from, to, last } = this.#read as ReadIndexes;
    if (index === to) {
      if (isLong) this.#found.push(index);
      this.#read = { from, to: index + 1, last: this.#settledState(index) };
    } else {
      if (isLong) this.#foundBelow.push(index);
      this.#read = { from: index, to, last };
    }
  }

  #stillHas({ to, last }: ReadIndexes): boolean {
    return this.#tree.indexes() >= to && isSameState(this.#tree.state(to - 1), last);
  }

  #settledState(index: number): TreeState {
    const known = this.#states.get(index);
    if (known !== undefined) return known;
    const state = this.#tree.state(index);
    this.#states.set(index, state);
    return state;
  }

  *#isLongSteps(
    index: number,
    stateAt: (index: number) => TreeState,
  ): Generator<undefined, boolean> {
    const tree = this.#tree;
    const lastBlock = index - LONGEST_USUAL - 1;
    if (lastBlock < 0) return false;
    const { outputs: old } = stateAt(lastBlock + TREE_AHEAD);
    const from = stateAt(index - 1).leaves;
    const isOld = ({ unifiedId }: { readonly unifiedId: number }): boolean => unifiedId < old;
    // The oldest is the first.
    const [first] = from < stateAt(index).leaves ? tree.leaves(from, from + 1) : [];
    if (first !== undefined && isOld(first)) return true;
    return (yield* tree.skippedSteps(index)).some(isOld);
  }
}
