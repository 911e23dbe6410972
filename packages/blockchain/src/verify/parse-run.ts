import { Yielder } from '@monero-node/base';
import { ConsensusError } from '@monero-node/consensus';
import type { IncomingBlock } from '../types.ts';

/** Decoded consecutive blocks, up to the first that does not decode. */
export interface ParsedRun {
  readonly blocks: readonly IncomingBlock[];
  /** The error of the block after `blocks`; absent when all decode. */
  readonly error?: ConsensusError;
}

/**
 * Decodes consecutive blocks in order, yielding to the event loop in between.
 *
 * @param parse decodes one block; throws ConsensusError 'bad-block-blob' or 'bad-tx-blob', as `parseBundle` does
 */
export async function parseRun<T>(
  items: readonly T[],
  parse: (item: T) => IncomingBlock,
): Promise<ParsedRun> {
  const yielder = new Yielder();
  const blocks: IncomingBlock[] = [];
  for (const item of items) {
    try {
      blocks.push(parse(item));
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      return { blocks, error };
    }
    await yielder.yieldIfDue();
  }
  return { blocks };
}
