import { runAtOnce } from '@monero-node/base';
import type {
  TreeCut,
  TreeOutput,
  TreeState,
  TreeStep,
  TreeStore,
} from '@monero-node/storage/memory';
import { lockIn, unlockIn, type Waiting } from './memory-store.ts';

/**
 * Keeps of a tree only what it needs to grow: its newest index, and the outputs that wait. For whoever rebuilds a tree to compare it with another
 * one: a block cannot be taken back, and nothing below the newest index can be read.
 */
export class NewestIndex implements TreeStore {
  readonly #locked: Waiting = new Map<bigint, TreeOutput[]>();
  #count = 0;
  #step: TreeStep | undefined;

  /** What the newest index has added; undefined when there is none. */
  get step(): TreeStep | undefined {
    return this.#step;
  }

  /** The indexes for which outputs wait, in no order. */
  get waitedFor(): bigint[] {
    return [...this.#locked.keys()];
  }

  indexes(): number {
    return this.#count;
  }

  state(index: number): TreeState {
    return this.#at(index).state;
  }

  #at(index: number): TreeStep {
    if (this.#step === undefined || index !== this.#count - 1)
      throw new RangeError(`index ${index} is not the newest`);
    return this.#step;
  }

  leaves(from: number, to: number): readonly TreeOutput[] {
    throw new RangeError(`leaves ${from} to ${to} are not kept`);
  }

  node(layer: number, place: number): Uint8Array {
    throw new RangeError(`node ${place} of layer ${layer} is not kept`);
  }

  *lockedSteps(index: bigint): Generator<undefined, readonly TreeOutput[]> {
    yield;
    return this.#locked.get(index)?.slice() ?? [];
  }

  locked(index: bigint): readonly TreeOutput[] {
    return runAtOnce(this.lockedSteps(index));
  }

  *skippedSteps(index: number): Generator<undefined, readonly TreeOutput[]> {
    yield;
    return this.#at(index).skipped;
  }

  skipped(index: number): readonly TreeOutput[] {
    return runAtOnce(this.skippedSteps(index));
  }

  *lockSteps(index: bigint, outputs: readonly TreeOutput[]): Generator<undefined, void> {
    yield;
    lockIn(this.#locked, index, outputs);
  }

  *unlockSteps(index: bigint, fromUnifiedId: number): Generator<undefined, void> {
    yield;
    unlockIn(this.#locked, index, fromUnifiedId);
  }

  *pushSteps(step: TreeStep): Generator<undefined, void> {
    yield;
    this.#step = step;
    this.#count++;
  }

  *popSteps(cut: TreeCut): Generator<undefined, void> {
    yield;
    throw new RangeError(`cannot go back to ${cut.leaves} leaves`);
  }
}
