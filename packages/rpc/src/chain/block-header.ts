import { parseBlock, toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import type { AltBlock, BlockMeta } from '@monero-node/storage';
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

/** The main-chain block at a height; undefined above the chain. */
export function mainBlock(chain: RpcChain, height: number): KnownBlock | undefined {
  const meta = chain.store.blockMeta(height);
  const blob = chain.store.blockBlob(height);
  if (meta === undefined || blob === undefined) return undefined;
  return { ...mainFigures(chain, meta), parsed: parseBlock(blob), orphan: false };
}

function mainFigures(chain: RpcChain, meta: BlockMeta) {
  const { height, weight, longTermWeight, cumulativeDifficulty } = meta;
  const difficulty = chain.difficultyOf(height);
  return { height, weight, longTermWeight, cumulativeDifficulty, difficulty };
}

/** A block of the main chain or of an alternative one; undefined when unknown. */
export function blockById(chain: RpcChain, id: Uint8Array): KnownBlock | undefined {
  const height = chain.store.heightOf(id);
  if (height !== undefined) return mainBlock(chain, height);
  const alternative = chain.store.altBlock(id);
  return alternative === undefined ? undefined : alternativeBlock(chain, alternative);
}

/** Alternative blocks have no long-term weight; it depends on the chain they would be part of. */
function alternativeBlock(chain: RpcChain, block: AltBlock): KnownBlock {
  const { height, weight, cumulativeDifficulty, prevId, blob } = block;
  const parentHeight = chain.store.heightOf(prevId);
  const below =
    parentHeight === undefined
      ? chain.store.altBlock(prevId)?.cumulativeDifficulty
      : chain.store.blockMeta(parentHeight)?.cumulativeDifficulty;
  return {
    parsed: parseBlock(blob),
    height,
    orphan: true,
    weight,
    longTermWeight: 0,
    difficulty: cumulativeDifficulty - (below ?? 0n),
    cumulativeDifficulty,
  };
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
