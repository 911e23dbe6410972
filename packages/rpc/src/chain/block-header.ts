import { toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import type { RpcChain } from '../context.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { f, omitDefault } from '../wire/fields.ts';
import { defineTable, type OutputOf } from '../wire/kinds.ts';
import { wideNumber } from './wide.ts';

/** `block_header` of rpc.md section 4. */
export const BLOCK_HEADER = defineTable({
  block_size: f.u64(),
  block_weight: omitDefault(f.u64()),
  cumulative_difficulty: f.u64(),
  cumulative_difficulty_top64: f.u64(),
  depth: f.u64(),
  difficulty: f.u64(),
  difficulty_top64: f.u64(),
  hash: f.hash(),
  height: f.u64(),
  long_term_weight: omitDefault(f.u64()),
  major_version: f.u8(),
  miner_tx_hash: f.hash(),
  minor_version: f.u8(),
  nonce: f.u32(),
  num_txes: f.u64(),
  orphan_status: f.bool(),
  pow_hash: f.text(),
  prev_hash: f.hash(),
  reward: f.u64(),
  timestamp: f.u64(),
  wide_cumulative_difficulty: f.text(),
  wide_difficulty: f.text(),
});
export type BlockHeaderAnswer = OutputOf<(typeof BLOCK_HEADER)['fields']>;

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

/** The `block_header` of a block; with `fillPowHash` its proof of work is computed, which takes long. */
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

/** Throws RpcError for blocks whose proof of work this node can't compute. */
async function powHashOf(chain: RpcChain, { parsed, height }: KnownBlock): Promise<string> {
  try {
    return toHex(await chain.powHash(parsed, height));
  } catch (error) {
    if (!(error instanceof ConsensusError)) throw error;
    throw new RpcError(RPC_ERROR.internal, "Internal error: can't produce valid response.");
  }
}

/** Refuses heights above the chain with the sentence that several methods share. Returns it as number. */
export function checkedHeight(chain: RpcChain, height: bigint): number {
  if (height < BigInt(chain.height)) return Number(height);
  throw new RpcError(
    RPC_ERROR.tooBigHeight,
    `Requested block height: ${height} greater than current top block height: ${chain.height - 1}`,
  );
}
