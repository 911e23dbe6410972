import { BoundedMap } from '@monero-node/base';
import { LONG_TERM_WINDOW, LongTermMedian, type Network } from '@monero-node/consensus';
import type { BlockRecord, ChainReader } from '@monero-node/storage';
import type { ChainTree } from './tree/chain-tree.ts';
import { CarrotOutputs } from './carrot-outputs.ts';
import { ChainView } from './chain-view.ts';
import type { TreeRoots } from './tree-roots.ts';

/** Most amounts whose commitments are remembered: before RingCT, nearly all outputs had one of a few hundred. */
const MAX_COMMITMENTS = 1024;

/** Returns `compute` with the results for the amounts that were asked for last. */
function remembering(compute: (amount: bigint) => Uint8Array): (amount: bigint) => Uint8Array {
  const known = new BoundedMap<bigint, Uint8Array>(MAX_COMMITMENTS);
  return (amount) => {
    const commitment = known.get(amount) ?? compute(amount);
    known.set(amount, commitment);
    return commitment;
  };
}

export interface TipStateOptions {
  readonly network: Network;
  readonly store: ChainReader;
  /** Unix seconds. */
  readonly now: () => number;
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** Absent where the chain keeps no curve tree. */
  readonly tree?: ChainTree | undefined;
  /** The trees of stored reference blocks; none when absent. */
  readonly treeRoots?: TreeRoots | undefined;
}

/** Reads the window of long-term weights from a store, about 2 µs each. */
function windowOf(store: ChainReader): LongTermMedian {
  const metas = store.blockMetas(Math.max(0, store.height - LONG_TERM_WINDOW), store.height);
  return LongTermMedian.from(metas.map((meta) => meta.longTermWeight));
}

/**
 * State that follows the top of the stored chain and is too expensive to compute for every block: the window of
 * long-term weights. Creates views of the chain.
 */
export class TipState {
  readonly #options: TipStateOptions;
  readonly #carrotOutputs: CarrotOutputs;
  #longTerm: LongTermMedian;
  /** The view for the rules of the next block; dropped whenever the top moves. */
  #atTip: ChainView | undefined;

  constructor(options: TipStateOptions) {
    this.#options = { ...options, commitToAmount: remembering(options.commitToAmount) };
    this.#carrotOutputs = new CarrotOutputs(options.store);
    this.#longTerm = windowOf(options.store);
  }

  /** Reads the window anew, for a store that has become another chain. */
  reload(): void {
    this.#longTerm = windowOf(this.#options.store);
    this.#atTip = undefined;
  }

  /** Returns a new view of the stored chain cut at `height`, to push blocks on. It has no curve tree while that of the chain lacks blocks. */
  viewAt(height: number): ChainView {
    const { tree: stored } = this.#options;
    const tree = stored?.isWhole === true ? stored : undefined;
    return new ChainView({
      ...this.#options,
      baseHeight: height,
      longTerm: this.longTermAt(height),
      carrotOutputs: this.#carrotOutputs,
      treeAt: tree && ((at) => tree.viewAt(at)),
    });
  }

  /** A shared view of the whole stored chain; do not push on it. */
  get atTip(): ChainView {
    this.#atTip ??= this.viewAt(this.#options.store.height);
    return this.#atTip;
  }

  /**
   * Follows a change: call it after blocks were popped down to `height` and `appended` were stored. Throws Error
   * when the stored chain has another height than that.
   *
   * @param longTermBefore the window at `height`; absent when no block was popped
   */
  moved(height: number, appended: readonly BlockRecord[], longTermBefore?: LongTermMedian): void {
    if (longTermBefore !== undefined) this.#longTerm = longTermBefore;
    for (const { meta } of appended) this.#longTerm.push(meta.longTermWeight);
    this.#atTip = undefined;
    if (height + appended.length !== this.#options.store.height) {
      throw new Error('the long-term window does not match the stored chain');
    }
  }

  /**
   * Follows a store that another process writes to: call it after the store, which had `before` blocks, has got others from
   * height `split` on.
   */
  followed(before: number, split: number): void {
    const { store } = this.#options;
    this.#longTerm = this.#longTerm.clone();
    for (let top = before - 1; top >= split; top--)
      this.#longTerm.pop(store.blockMeta(top - LONG_TERM_WINDOW)?.longTermWeight);
    for (let height = split; height < store.height; height++) {
      const meta = store.blockMeta(height);
      if (meta !== undefined) this.#longTerm.push(meta.longTermWeight);
    }
    this.#atTip = undefined;
  }

  /** Returns the window at the time the stored chain had `height` blocks. Call it before a pop. */
  longTermAt(height: number): LongTermMedian {
    const { store } = this.#options;
    const window = this.#longTerm.clone();
    for (let top = store.height - 1; top >= height; top--) {
      // Restores the weight that the popped block had pushed out.
      const restored = store.blockMeta(top - LONG_TERM_WINDOW)?.longTermWeight;
      window.pop(restored);
    }
    return window;
  }
}
