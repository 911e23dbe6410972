import { parseBlock, parseTransaction } from '@monero-node/codec';
import type { CallOptions, ReplyOf, RpcClient } from '@monero-node/rpc-client';
import type { ExplorerBlock } from '../store/block-rows.ts';
import { eventTransaction } from './event-transaction.ts';

type Header = ReplyOf<'names', 'get_block_headers_range'>['headers'][number];
type Blocks = ReplyOf<'binaryPaths', '/get_blocks.bin'>;

/** Blocks that a node is asked for at once. */
const BLOCKS = 100n;

interface BlockParts {
  readonly header: Header;
  readonly entry: Blocks['blocks'][number];
  readonly indices: Blocks['output_indices'][number];
}

/** Puts together what several answers say about a block. Throws Error when they are not about the same one. */
function eventBlock({ header, entry, indices }: BlockParts, coinsBelow: bigint): ExplorerBlock {
  const { block, id, minerTx } = parseBlock(entry.block);
  if (!Buffer.from(id).equals(header.hash))
    throw new Error('the chain changed between two answers');
  const [minerIndices, ...others] = indices.indices;
  const txs = entry.txs.map((tx, i) =>
    eventTransaction(parseTransaction('blob' in tx ? tx.blob : tx), others[i]?.indices ?? []),
  );
  const fees = txs.reduce((sum, { fee }) => sum + fee, 0n);
  return {
    height: Number(header.height),
    id,
    prev_id: block.prevId,
    timestamp: block.timestamp,
    major_version: block.majorVersion,
    minor_version: block.minorVersion,
    nonce: block.nonce,
    weight: Number(header.block_weight),
    long_term_weight: Number(header.long_term_weight),
    difficulty: String(BigInt(header.wide_difficulty)),
    cumulative_difficulty: String(BigInt(header.wide_cumulative_difficulty)),
    reward: header.reward,
    fees,
    txs,
    generated_coins: coinsBelow + header.reward - fees,
    miner_tx: eventTransaction(minerTx, minerIndices?.indices ?? []),
  };
}

/**
 * Returns up to 100 blocks of the main chain of a node, from a height on.
 *
 * `genesisId`: id of its first block. `coinsBelow`: atomic units emitted by the blocks below.
 * Throws RpcError, and Error when the chain is reorganized meanwhile.
 */
export async function readBlocks(
  client: RpcClient,
  { from, genesisId, coinsBelow }: { from: number; genesisId: Uint8Array; coinsBelow: bigint },
): Promise<ExplorerBlock[]> {
  const answer = await client.binary('/get_blocks.bin', {
    block_ids: [genesisId],
    start_height: BigInt(from),
    max_block_count: BLOCKS,
  });
  const start = answer.start_height;
  const entries = answer.blocks.slice(from - Number(start), from - Number(start) + Number(BLOCKS));
  const indices = answer.output_indices.slice(from - Number(start));
  if (entries.length === 0) return [];
  const { headers } = await client.rpc('get_block_headers_range', {
    start_height: BigInt(from),
    end_height: BigInt(from + entries.length - 1),
  });
  let coins = coinsBelow;
  return entries.map((entry, i) => {
    const [header, indicesOfBlock] = [headers[i], indices[i]];
    if (header === undefined || indicesOfBlock === undefined)
      throw new Error('the chain became shorter between two answers');
    const block = eventBlock({ header, entry, indices: indicesOfBlock }, coins);
    coins = block.generated_coins;
    return block;
  });
}

/** Returns the id of a block of the main chain, 32 bytes. Throws RpcError when there is none of that height. */
export async function idAt(
  client: RpcClient,
  height: number,
  options: CallOptions = {},
): Promise<Uint8Array> {
  const { block_header } = await client.rpc(
    'get_block_header_by_height',
    { height: BigInt(height) },
    options,
  );
  if (block_header === undefined || !('hash' in block_header)) throw new Error('no header');
  return block_header.hash;
}
