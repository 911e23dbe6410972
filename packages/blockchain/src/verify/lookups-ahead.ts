import type { ChainView } from '../view/chain-view.ts';
import type { CompleteBlock } from '../types.ts';

/** Rows of later blocks that are read from the disk while a block is checked: those of about 100 transactions. */
const ROWS_AHEAD = 3500;

/** Reads what the checks of consecutive blocks look up, some blocks ahead of the checks. */
export class LookupsAhead {
  readonly #view: Pick<ChainView, 'prefetch' | 'countLookups'>;
  readonly #bundles: readonly CompleteBlock[];
  readonly #isKnown: (position: number) => boolean;
  readonly #stop = new AbortController();
  /** By position, up to the last block that was begun. */
  readonly #reads: { readonly rows: number; readonly done: Promise<void> | undefined }[] = [];
  /** Rows of the blocks that were begun and not reached yet. */
  #rowsAhead = 0;

  /** @param isKnown whether the block at a position is known to be right: its ring members are not looked up */
  constructor(
    view: Pick<ChainView, 'prefetch' | 'countLookups'>,
    bundles: readonly CompleteBlock[],
    isKnown: (position: number) => boolean,
  ) {
    this.#view = view;
    this.#bundles = bundles;
    this.#isKnown = isKnown;
  }

  /**
   * Resolves when what the block at a position needs is in memory; undefined when it needs nothing. Call it once for each position, in
   * order.
   */
  reach(position: number): Promise<void> | undefined {
    while (this.#reads.length <= position || this.#rowsAhead < ROWS_AHEAD) {
      if (!this.#beginNext(position)) break;
    }
    const read = this.#reads[position];
    return read?.done?.then(() => {
      this.#rowsAhead -= read.rows;
    });
  }

  /** Drops what has not been read yet: the remaining blocks will not be checked. */
  stop(): void {
    this.#stop.abort();
  }

  /** Begins the next block, unless it comes later and would take more rows than may be ahead. Returns whether it has. */
  #beginNext(position: number): boolean {
    const next = this.#reads.length;
    const bundle = this.#bundles[next];
    if (bundle === undefined) return false;
    const withRings = !this.#isKnown(next);
    const rows = this.#view.countLookups(bundle.txs, withRings);
    if (next > position && this.#rowsAhead + rows > ROWS_AHEAD) return false;
    // A promise for each of thousands of blocks without transactions would be most of the work on them here.
    const done =
      rows === 0 ? undefined : this.#view.prefetch(bundle.txs, withRings, this.#stop.signal);
    this.#reads.push({ rows, done });
    this.#rowsAhead += rows;
    return true;
  }
}
