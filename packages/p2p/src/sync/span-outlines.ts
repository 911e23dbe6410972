import { bytesToParse } from '@monero-node/blockchain';
import type { OutlinedTransactions, TransactionOutliner } from '@monero-node/codec';
import type { ReceivedBlock } from './span-queue.ts';

/** Transactions of fewer bytes are parsed in less time than it takes to hand them to a thread. */
const LEAST_BYTES = 32 * 1024;
/** Handing over more than these holds the event loop for long. Spans of honest peers have thousands. */
const MOST_TRANSACTIONS = 20_000;

/**
 * Milliseconds that the span whose turn it is waits for its outlines. The thread makes those of 30 MB in a third of a second, so it is
 * stuck by then, or this machine is so busy that nothing is gained by waiting.
 */
export const MOST_WAIT_MS = 5000;

/** The outlines of a span's transactions, which a thread makes while the span waits for its turn. */
class SpanOutlines {
  readonly #stop = new AbortController();
  /** Resolves when none will come after it. */
  readonly #settled: Promise<void>;
  #outlined: OutlinedTransactions | undefined;
  /** Whether they may come yet. */
  isPending = true;

  constructor(blocks: readonly ReceivedBlock[], outliner: TransactionOutliner) {
    const txs = blocks.flatMap(({ txs: blobs, prunableHashes }) =>
      blobs.map((blob, i) => bytesToParse(blob, prunableHashes?.[i])),
    );
    this.#settled = outliner.outline(txs, this.#stop.signal).then(
      (outlined) => {
        this.#outlined = outlined;
        this.isPending = false;
      },
      // Whoever needs the transactions parses them.
      () => {
        this.isPending = false;
      },
    );
  }

  /** Resolves when they are ready, will not come, or have not come for long. */
  async wait(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MOST_WAIT_MS).unref();
    });
    await Promise.race([this.#settled, late]);
    clearTimeout(timer);
  }

  /** Returns the outlines, any number of times. If they are not ready, returns undefined and has the thread leave them. */
  take(): OutlinedTransactions | undefined {
    if (this.#outlined === undefined) {
      this.#stop.abort();
      this.isPending = false;
    }
    return this.#outlined;
  }
}

/** Has a thread outline the transactions of a span. Returns the blocks with what it will find. */
export function withOutlines(
  blocks: readonly ReceivedBlock[],
  outliner: TransactionOutliner | undefined,
): readonly ReceivedBlock[] {
  const count = blocks.reduce((sum, { txs }) => sum + txs.length, 0);
  if (outliner === undefined || count > MOST_TRANSACTIONS) return blocks;
  const bytes = blocks.reduce(
    (sum, { txs }) => txs.reduce((inBlock, { length }) => inBlock + length, sum),
    0,
  );
  if (bytes < LEAST_BYTES) return blocks;
  const outlines = new SpanOutlines(blocks, outliner);
  const isOutlining = () => outlines.isPending;
  const whenOutlined = () => outlines.wait();
  let first = 0;
  return blocks.map((block) => {
    const position = first;
    first += block.txs.length;
    const outlined = () => {
      const of = outlines.take();
      return of && { of, first: position };
    };
    return { ...block, outlined, isOutlining, whenOutlined };
  });
}
