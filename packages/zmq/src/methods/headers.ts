import { type JsonValue, toHex } from '@monero-node/codec';
import {
  type BlockLookup,
  type KnownBlock,
  MAX_RESTRICTED_HEADER_RANGE,
  type RpcChain,
  wideNumber,
} from '@monero-node/rpc/shared';
import { defineZmqMethod, type ZmqContext, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';

const UNKNOWN = 'Requested block does not exist';

export const getLastBlockHeader = defineZmqMethod({
  name: 'get_last_block_header',
  params: {},
  handler: (_params, { services: { chain, blocks } }) => ({
    header: headerJson(chain, blocks.at(chain.height - 1), UNKNOWN),
  }),
});

export const getBlockHeaderByHash = defineZmqMethod({
  name: 'get_block_header_by_hash',
  params: { hash: read.hash },
  handler: ({ hash }, { services: { chain, blocks } }) => ({
    header: headerJson(chain, blocks.byId(hash), UNKNOWN),
  }),
});

export const getBlockHeaderByHeight = defineZmqMethod({
  name: 'get_block_header_by_height',
  params: { height: read.u64 },
  handler: ({ height }, { services: { chain, blocks } }) => ({
    header: headerJson(chain, blockAt(chain, blocks, height), UNKNOWN),
  }),
});

export const getBlockHeadersByHeight = defineZmqMethod({
  name: 'get_block_headers_by_height',
  params: { heights: read.u64s },
  handler: ({ heights }, context) => {
    if (context.restricted && heights.length > MAX_RESTRICTED_HEADER_RANGE) {
      throw new ZmqFailure('Too many block headers requested in restricted mode');
    }
    return { headers: headersJson(heights, context) };
  },
});

async function* headersJson(
  heights: readonly bigint[],
  { services: { chain, blocks }, yielder }: ZmqContext,
): AsyncGenerator<JsonValue> {
  for (const height of heights) {
    await yielder.yieldIfDue();
    const block = blockAt(chain, blocks, height);
    yield headerJson(chain, block, 'A requested block does not exist');
  }
}

function blockAt(chain: RpcChain, blocks: BlockLookup, height: bigint): KnownBlock | undefined {
  return height < BigInt(chain.height) ? blocks.at(Number(height)) : undefined;
}

/** An alternative block is shown with the difficulty of the main chain at its height. */
function headerJson(chain: RpcChain, known: KnownBlock | undefined, unknown: string): JsonValue {
  if (known === undefined) throw new ZmqFailure(unknown);
  const { parsed, height } = known;
  const { block } = parsed;
  const difficulty = height < chain.height ? chain.difficultyOf(height) : 0n;
  return {
    major_version: block.majorVersion,
    minor_version: block.minorVersion,
    timestamp: block.timestamp,
    prev_id: toHex(block.prevId),
    nonce: block.nonce,
    height,
    depth: BigInt.asUintN(64, BigInt(chain.height - height - 1)),
    hash: toHex(parsed.id),
    difficulty: wideNumber(difficulty).low,
    reward: block.minerTx.outputs.reduce((sum, output) => sum + output.amount, 0n),
  };
}
