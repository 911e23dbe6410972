import { parseRun, parseTransactions } from '@monero-node/blockchain';
import type { AddBlockResult, IncomingBlock } from '@monero-node/blockchain';
import { isGood } from './block-result.ts';
import type { ChainForP2p } from './chain.ts';
import type { ReceivedBlock } from './received-block.ts';

/**
 * Verifies and stores consecutive blocks, up to the first that does not decode or is invalid.
 * Resolves with one result for each block that was tried.
 *
 * @param origin where the blocks come from, for the log
 * @param host the host that sent the first block: its bad work counts against it
 */
export async function addReceived(
  chain: ChainForP2p,
  blocks: readonly ReceivedBlock[],
  origin?: string,
  host?: string,
): Promise<AddBlockResult[]> {
  const run = await parseRun(blocks, (block) => decode(chain, block));
  const { results } = await chain.addSpan(run.blocks, {
    origin,
    client: host === undefined ? undefined : { host },
  });
  if (run.error === undefined || !results.every(isGood)) return results;
  const id = blocks[run.blocks.length]?.block.id;
  return [...results, { status: 'invalid', error: run.error, ...(id && { id }) }];
}

/** Throws ConsensusError `bad-tx-blob` when a transaction does not decode. */
function decode(chain: ChainForP2p, { block, txs, prunableHashes }: ReceivedBlock): IncomingBlock {
  try {
    return { block, txs: parseTransactions(txs, prunableHashes) };
  } catch (error) {
    // The transactions of a known block are not needed.
    if (chain.has(block.id) !== undefined) return { block, txs: [] };
    throw error;
  }
}
