import { LONG_TERM_WINDOW, LongTermMedian, type Network } from '@monero-node/consensus';
import type { BlockRecord, ChainReader } from '@monero-node/storage';
import { ChainView } from './chain-view.ts';

export interface TipStateOptions {
  readonly network: Network;
  readonly store: ChainReader;
  /** Unix seconds. */
  readonly now: () => number;
  readonly commitToAmount: (amount: bigint) => Uint8Array;
}

/**
 * What must follow the top of the stored chain and is too dear to be computed anew for every
 * block: the window of long-term weights. Hands out views of the chain.
 */
export class TipState {
  readonly #options: TipStateOptions;
  #longTerm: LongTermMedian;
  /** Rules asked about the next block; dropped whenever the top moves. */
  #atTip: ChainView | undefined;

  constructor(options: TipStateOptions) {
    this.#options = options;
    const { store } = options;
    const metas = store.blockMetas(Math.max(0, store.height - LONG_TERM_WINDOW), store.height);
    this.#longTerm = LongTermMedian.from(metas.map((meta) => meta.longTermWeight));
  }

  /** A new view of the stored chain cut at `height`, to put blocks on. */
  viewAt(height: number): ChainView {
    return new ChainView({ ...this.#options, baseHeight: height, longTerm: this.#cutAt(height) });
  }

  /** A view of the whole stored chain, to ask only. */
  get atTip(): ChainView {
    this.#atTip ??= this.viewAt(this.#options.store.height);
    return this.#atTip;
  }

  /** To be called after blocks were popped down to `height` and `appended` were stored. */
  moved(height: number, appended: readonly BlockRecord[], longTermBefore: LongTermMedian): void {
    this.#longTerm = longTermBefore;
    for (const { meta } of appended) this.#longTerm.push(meta.longTermWeight);
    this.#atTip = undefined;
    if (height + appended.length !== this.#options.store.height) {
      throw new Error('the long-term window does not match the stored chain');
    }
  }

  /** The window as it was when the stored chain had `height` blocks. Must be taken before a pop. */
  #cutAt(height: number): LongTermMedian {
    const { store } = this.#options;
    const window = this.#longTerm.clone();
    for (let top = store.height - 1; top >= height; top--) {
      // The weight that the popped block had pushed out comes back in.
      const restored = store.blockMeta(top - LONG_TERM_WINDOW)?.longTermWeight;
      window.pop(restored);
    }
    return window;
  }

  /** See `#cutAt`. */
  longTermAt(height: number): LongTermMedian {
    return this.#cutAt(height);
  }
}
