import type { ChainView } from '../view/chain-view.ts';
import type { ParsedBundle } from '../types.ts';

/** Transactions of later blocks whose look-ups are read from the disk while a block is checked. */
const TXS_AHEAD = 200;

/** Reads what the checks of consecutive blocks look up, some blocks ahead of the checks. */
export class LookupsAhead {
  readonly #view: ChainView;
  readonly #bundles: readonly ParsedBundle[];
  readonly #isKnown: (position: number) => boolean;
  /** By position, up to the last block that was begun. */
  readonly #reads: Promise<void>[] = [];
  /** Transactions of the blocks that were begun and not reached yet. */
  #txsAhead = 0;

  /** @param isKnown whether the block at a position is known to be right: its ring members are not looked up */
  constructor(
    view: ChainView,
    bundles: readonly ParsedBundle[],
    isKnown: (position: number) => boolean,
  ) {
    this.#view = view;
    this.#bundles = bundles;
    this.#isKnown = isKnown;
  }

  /** Resolves when what the block at a position needs is in memory. Call it once for each position, in order. */
  async reach(position: number): Promise<void> {
    while (this.#reads.length <= position || this.#txsAhead < TXS_AHEAD) {
      const bundle = this.#bundles[this.#reads.length];
      if (bundle === undefined) break;
      const isKnown = this.#isKnown(this.#reads.length);
      this.#reads.push(this.#view.prefetch(bundle.txs, !isKnown));
      this.#txsAhead += bundle.txs.length;
    }
    await this.#reads[position];
    this.#txsAhead -= this.#bundles[position]?.txs.length ?? 0;
  }
}
