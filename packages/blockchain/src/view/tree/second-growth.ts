import { inSlices, type Yielder } from '@monero-node/base';
import {
  type BlockAddition,
  growthSteps,
  isSameRoot,
  MONERO_SHAPE,
  type OutputGrowth,
  REFERENCE_HASHER,
  rootOf,
  type ScheduledOutput,
  type TreeHasher,
} from '@monero-node/curve-tree';
import type { GrownBlock } from './grown-blocks.ts';

/**
 * Outputs of one index up to which the reference computes, some 20 seconds of a thread. A block with more is computed again by what has
 * computed it before: a fault of the machine shows then, a defect of native code does not.
 */
const MAX_BY_REFERENCE = 5000;

/** Told of a block whose growth was wrong, and whether the header of the next block has the root that is right. */
export type OnWrongGrowth = (height: number, isNextRight: boolean) => void;

/** Grows blocks once more, to confirm a root before a block is refused for another one. */
export class SecondGrowth {
  readonly #hasher: TreeHasher;
  readonly #onWrong: OnWrongGrowth;
  readonly #right = new WeakSet<OutputGrowth>();

  /** @param hasher whose growth is confirmed */
  constructor(hasher: TreeHasher, onWrong: OnWrongGrowth = () => undefined) {
    this.#hasher = hasher;
    this.#onWrong = onWrong;
  }

  /** Returns the growth that is right in place of another one; undefined where that is right, which is computed once. */
  async of({ addition, growth }: GrownBlock, yielder: Yielder): Promise<OutputGrowth | undefined> {
    // The reference confirms itself.
    if (this.#hasher === REFERENCE_HASHER || this.#right.has(growth)) return undefined;
    const right = await this.compute(addition, yielder);
    this.#right.add(right);
    if (!isSameRoot(rootOf(right.edge), rootOf(growth.edge))) return right;
    this.#right.add(growth);
    return undefined;
  }

  /** Grows the tree before a block by what enters with it, over which the root says everything. */
  async compute({ before, entering }: BlockAddition, yielder: Yielder): Promise<OutputGrowth> {
    const hasher = entering.length <= MAX_BY_REFERENCE ? REFERENCE_HASHER : this.#hasher;
    return inSlices(growthSteps(hasher, MONERO_SHAPE, before, entering), yielder);
  }

  report(height: number, isNextRight: boolean): void {
    this.#onWrong(height, isNextRight);
  }
}

/** Returns the indexes at which the outputs of a block enter, in no order: all that taking it back needs. */
export function entriesOfAddition({
  index,
  later,
  outputs,
}: BlockAddition): Pick<ScheduledOutput, 'entersAt'>[] {
  const entries = [...later].flatMap(([entersAt, group]) => group.map(() => ({ entersAt })));
  while (entries.length < outputs) entries.push({ entersAt: BigInt(index) });
  return entries;
}
