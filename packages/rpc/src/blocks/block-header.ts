import { toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import { type BlockHeaderAnswer, RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcChain } from '../dependencies.ts';
import { JsonRpcError } from '../errors.ts';
import { wideNumber } from '../encoding/wide-number.ts';

/** A block with what the chain knows about it. */
export interface KnownBlock {
  readonly parsed: ParsedBlock;
  readonly height: number;
  readonly orphan: boolean;
  readonly weight: number;
  readonly longTermWeight: number;
  readonly difficulty: bigint;
  readonly cumulativeDifficulty: bigint;
}

/**
 * Returns the `block_header` of a block. With `fillPowHash` its proof of work is computed, which takes long. Throws
 * JsonRpcError for a block whose proof of work this node cannot compute.
 */
export async function headerOf(
  chain: RpcChain,
  known: KnownBlock,
  fillPowHash: boolean,
): Promise<BlockHeaderAnswer> {
  const { parsed, height, orphan, weight, longTermWeight } = known;
  const { block } = parsed;
  const difficulty = wideNumber(known.difficulty);
  const cumulative = wideNumber(known.cumulativeDifficulty);
  return {
    block_size: weight,
    block_weight: weight,
    cumulative_difficulty: cumulative.low,
    cumulative_difficulty_top64: cumulative.top,
    depth: Math.max(0, chain.height - height - 1),
    difficulty: difficulty.low,
    difficulty_top64: difficulty.top,
    hash: parsed.id,
    height,
    long_term_weight: longTermWeight,
    major_version: block.majorVersion,
    miner_tx_hash: parsed.minerTx.id,
    minor_version: block.minorVersion,
    nonce: block.nonce,
    num_txes: block.txHashes.length,
    orphan_status: orphan,
    pow_hash: fillPowHash ? await powHashOf(chain, known) : '',
    prev_hash: block.prevId,
    reward: block.minerTx.outputs.reduce((sum, output) => sum + output.amount, 0n),
    timestamp: block.timestamp,
    wide_cumulative_difficulty: cumulative.wide,
    wide_difficulty: difficulty.wide,
  };
}

/** Throws JsonRpcError for blocks whose proof of work this node can't compute. */
async function powHashOf(chain: RpcChain, { parsed, height }: KnownBlock): Promise<string> {
  try {
    return toHex(await chain.powHash(parsed, height));
  } catch (error) {
    if (!(error instanceof ConsensusError)) throw error;
    throw new JsonRpcError(RPC_ERROR.internal, "Internal error: can't produce valid response.");
  }
}

/**
 * Returns a height as a number. Throws JsonRpcError for heights above the chain, with the message that several methods
 * share.
 */
export function checkedHeight(chain: RpcChain, height: bigint): number {
  if (height < BigInt(chain.height)) return Number(height);
  throw new JsonRpcError(
    RPC_ERROR.tooBigHeight,
    `Requested block height: ${height} greater than current top block height: ${chain.height - 1}`,
  );
}
