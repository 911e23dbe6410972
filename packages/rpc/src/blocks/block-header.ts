import { toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import { ByteSink } from '@monero-node/codec/portable-storage';
import {
  BLOCK_HEADER,
  type BlockHeaderAnswer,
  RenderedJson,
  RPC_ERROR,
  writeJson,
} from '@monero-node/rpc-schema';
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
  /** The JSON text of its header around the depth, once it was made; see `headerJson`. */
  headerText: HeaderText | undefined;
}

/** The JSON text of a header before and after its depth, which grows with the chain. */
interface HeaderText {
  readonly before: string;
  readonly after: string;
}

/** The indentation of a header within the result of a JSON-RPC method. */
const HEADER_INDENT = 2;
const DEPTH_MARK = '"depth": ';

/** Returns the `block_header` of a block, without proof of work, as JSON text: it is made once for a block that is kept. */
export function headerJson(chain: Pick<RpcChain, 'height'>, known: KnownBlock): RenderedJson {
  known.headerText ??= textOf(known);
  const { before, after } = known.headerText;
  return new RenderedJson(before + depthOf(chain, known).toString() + after, HEADER_INDENT);
}

function textOf(known: KnownBlock): HeaderText {
  const sink = new ByteSink();
  const header = { ...headerFields(known), depth: 0, pow_hash: '' };
  for (const wait of writeJson(
    sink,
    { kind: 'object', table: BLOCK_HEADER },
    header,
    HEADER_INDENT,
  )) {
    if (wait !== undefined) throw new TypeError('a header has nothing to wait for');
  }
  const text = sink.shortText ?? '';
  const at = text.indexOf(DEPTH_MARK) + DEPTH_MARK.length;
  return { before: text.slice(0, at), after: text.slice(at + 1) };
}

function depthOf(chain: Pick<RpcChain, 'height'>, { height }: KnownBlock): number {
  return Math.max(0, chain.height - height - 1);
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
  return {
    ...headerFields(known),
    depth: depthOf(chain, known),
    pow_hash: fillPowHash ? await powHashOf(chain, known) : '',
  };
}

/** Returns what depends on the block alone. */
function headerFields(known: KnownBlock): Omit<BlockHeaderAnswer, 'depth' | 'pow_hash'> {
  const { parsed, height, orphan, weight, longTermWeight } = known;
  const { block } = parsed;
  const difficulty = wideNumber(known.difficulty);
  const cumulative = wideNumber(known.cumulativeDifficulty);
  return {
    block_size: weight,
    block_weight: weight,
    cumulative_difficulty: cumulative.low,
    cumulative_difficulty_top64: cumulative.top,
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
