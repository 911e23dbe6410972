import { Yielder } from '@monero-node/base';
import { bytesEqual } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import type { CompleteBlock, IncomingBlock } from '../types.ts';
import { completeBlock, matchTransactions, prunedPositions } from '../verify/match-transactions.ts';
import { knownOffChain, type WriterContext } from './writer-context.ts';

/**
 * Blocks are stored together until they have this many outputs: LMDB takes over the rows of a commit in one
 * piece, about 4 us for each output.
 */
const MAX_RUN_OUTPUTS = 3000;

/** The block that a run is to stand on. */
export interface Footing {
  readonly height: number;
  /** 32 bytes. */
  readonly id: Uint8Array;
}

/**
 * Returns the leading blocks that are stored together on top of a block of the main chain, or of one that is about to be stored: those
 * that are complete, new and continue each other. None when the first is not such a block or breaks a rule.
 */
export async function collectRun(
  context: WriterContext,
  blocks: readonly IncomingBlock[],
  footing: Footing | undefined,
): Promise<CompleteBlock[]> {
  const yielder = new Yielder();
  const run: CompleteBlock[] = [];
  let below = footing;
  let outputs = 0;
  for (const incoming of blocks) {
    if (below === undefined || outputs >= MAX_RUN_OUTPUTS) break;
    // Matching hashes the transactions of the block.
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    const bundle = continuing(context, incoming, below);
    if (bundle === undefined) break;
    run.push(bundle);
    outputs += outputCount(bundle);
    below = { height: below.height + 1, id: incoming.block.id };
  }
  return run;
}

/** Returns the block if it is complete, new and continues the one below; undefined when it breaks a rule. */
function continuing(
  context: WriterContext,
  incoming: IncomingBlock,
  below: Footing,
): CompleteBlock | undefined {
  try {
    const { block } = incoming;
    if (!bytesEqual(block.block.prevId, below.id) || knownOffChain(context, block) !== undefined)
      return undefined;
    const complete = completeBlock(block, matchTransactions(incoming).txs);
    return lackingPositions(context, complete, below.height + 1).length > 0 ? undefined : complete;
  } catch (error) {
    if (error instanceof ConsensusError) return undefined;
    throw error;
  }
}

/**
 * Returns the positions of pruned transactions that are needed in full: none when the weight of the block is known.
 *
 * @param height that the block would have
 */
export function lackingPositions(
  { precomputed }: WriterContext,
  { txs }: CompleteBlock,
  height: number,
): number[] {
  return precomputed.weightAt(height) === undefined ? prunedPositions(txs) : [];
}

/** Returns the number of outputs of a block, with those of its coinbase transaction. */
function outputCount({ block, txs }: CompleteBlock): number {
  return txs.reduce((sum, tx) => sum + tx.parts.outputCount, block.block.minerTx.outputs.length);
}
