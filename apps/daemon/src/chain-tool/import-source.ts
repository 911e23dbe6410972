import type { IncomingBlock, OfferedIds } from '@monero-node/blockchain';
import type { TransactionOutliner } from '@monero-node/codec';

/** Blocks cannot be imported: their source does not fit to the chain, or a block breaks a rule. */
export class ImportError extends Error {
  override readonly name: string = 'ImportError';
}

/** Consecutive blocks that can be imported, read in order. */
export interface ImportSource {
  /** Its name in messages, such as `the file`. */
  readonly name: string;
  /** Height of the first block. */
  readonly firstBlock: number;
  /** Height after the last block, as the source states it; a file to which a program has written since has more. */
  readonly height: number;
  /** 384 to 391 when old transactions lack what the seed does not keep; 0 when all are whole. */
  readonly pruningSeed: number;
  /** Share of the source before the next block, 0 to 1. */
  readonly progress: number;
  /**
   * Skips the blocks below a height, which is not below the next block's. Returns whether there is a block before that
   * height or at it, so that `next` returns the block of that height or, after the last block, nothing.
   */
  skipTo(height: number): Promise<boolean>;
  /** Returns ids of the next blocks without skipping them: `count`, or fewer when the source ends or is damaged. */
  offer(count: number): Promise<OfferedIds>;
  /** Reads the next block; undefined after the last. Throws when the source is damaged or has changed. */
  next(): Promise<IncomingBlock | undefined>;
  /** Has the transactions of later blocks read ahead on a thread from now on, if the source can. */
  readAhead(outliner: TransactionOutliner): void;
  /** Throws when another program uses or has changed the source. */
  check(): void;
  close(): Promise<void>;
}
