import { blockToJson } from '@monero-node/codec';
import { type BlockHeaderAnswer, BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import { checkedHeight, headerJson, headerOf } from '../blocks/block-header.ts';
import type { RpcContext } from '../context.ts';
import { blockIdFromHex } from '../encoding/hex.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_BLOCKS, MAX_RESTRICTED_HEADER_RANGE } from '../limits.ts';
import type { HandlerOf, MethodRows } from '../method.ts';

/** Returns the header of the top block. Throws RpcStatus with BUSY until the node is synchronized. */
const getLastBlockHeader: HandlerOf<'getLastBlockHeader'> = async (
  request,
  { services: { chain, blocks, p2p }, restricted },
) => {
  if (!p2p.synchronized) throw new RpcStatus(BUSY);
  const block = blocks.at(chain.height - 1);
  if (block === undefined) {
    throw new JsonRpcError(RPC_ERROR.internal, "Internal error: can't get last block.");
  }
  return { block_header: await headerOf(chain, block, request.fill_pow_hash && !restricted) };
};

/**
 * Returns the headers of blocks by id, alternative blocks included. Throws JsonRpcError for text that is not a 32-byte
 * id in hex, an unknown block, or too many ids on a restricted listener.
 */
const getBlockHeaderByHash: HandlerOf<'getBlockHeaderByHash'> = async (
  request,
  { services: { chain, blocks }, restricted, yielder },
) => {
  if (restricted && request.hashes.length > MAX_RESTRICTED_BLOCKS) {
    throw new JsonRpcError(
      RPC_ERROR.restricted,
      'Too many block headers requested in restricted mode',
    );
  }
  const header = async (hash: string): Promise<BlockHeaderAnswer> => {
    await yielder.yieldIfDue();
    const block = blocks.byId(blockIdFromHex(hash));
    if (block === undefined) {
      throw new JsonRpcError(
        RPC_ERROR.internal,
        `Internal error: can't get block by hash. Hash = ${hash}.`,
      );
    }
    return headerOf(chain, block, request.fill_pow_hash && !restricted);
  };
  const first = request.hash === '' ? undefined : await header(request.hash);
  const headers: BlockHeaderAnswer[] = [];
  for (const hash of request.hashes) headers.push(await header(hash));
  return { block_header: first, block_headers: headers };
};

/** Returns the header of the main-chain block at a height. Throws JsonRpcError for a height above the chain. */
const getBlockHeaderByHeight: HandlerOf<'getBlockHeaderByHeight'> = (
  request,
  { services: { chain, blocks }, restricted },
) => {
  const block = blocks.at(checkedHeight(chain, request.height));
  if (block === undefined) {
    throw new JsonRpcError(
      RPC_ERROR.internal,
      `Internal error: can't get block by height. Height = ${request.height}.`,
    );
  }
  if (!request.fill_pow_hash || restricted) return { block_header: headerJson(chain, block) };
  return headerOf(chain, block, true).then((header) => ({ block_header: header }));
};

/**
 * Returns the headers of main-chain blocks from one height to another, both included. Throws JsonRpcError for a range
 * that leaves the chain, or one that is too long on a restricted listener.
 */
const getBlockHeadersRange: HandlerOf<'getBlockHeadersRange'> = (request, context) => {
  const { start_height: start, end_height: end } = request;
  const {
    services: { chain },
    restricted,
  } = context;
  if (end >= BigInt(chain.height) || start > end) {
    throw new JsonRpcError(RPC_ERROR.tooBigHeight, 'Invalid start/end heights.');
  }
  if (restricted && end - start > MAX_RESTRICTED_HEADER_RANGE) {
    throw new JsonRpcError(RPC_ERROR.restricted, 'Too many block headers requested.');
  }
  const fillPowHash = request.fill_pow_hash && !restricted;
  return { headers: headers(context, Number(start), Number(end), fillPowHash) };
};

/** One by one: without restriction the range may be the whole chain. */
async function* headers(
  { services: { chain, blocks }, yielder }: RpcContext,
  start: number,
  end: number,
  fillPowHash: boolean,
): AsyncGenerator<BlockHeaderAnswer> {
  for (let height = start; height <= end; height++) {
    await yielder.yieldIfDue();
    const block = blocks.at(height);
    if (block === undefined) {
      throw new JsonRpcError(
        RPC_ERROR.internal,
        `Internal error: can't get block by height. Height = ${height}.`,
      );
    }
    yield await headerOf(chain, block, fillPowHash);
  }
}

/**
 * Returns a block by id or by height, as a blob and as JSON. Throws JsonRpcError for an unknown block, a height above
 * the chain, or text that is not a 32-byte id in hex.
 */
const getBlock: HandlerOf<'getBlock'> = async (
  request,
  { services: { chain, blocks }, restricted },
) => {
  const { hash } = request;
  const found =
    hash === ''
      ? blocks.at(checkedHeight(chain, request.height))
      : blocks.byId(blockIdFromHex(hash));
  if (found === undefined) {
    throw new JsonRpcError(
      RPC_ERROR.internal,
      `Internal error: can't get block by hash. Hash = ${hash}.`,
    );
  }
  const { parsed } = found;
  return {
    blob: parsed.blob,
    block_header: await headerOf(chain, found, request.fill_pow_hash && !restricted),
    json: blockToJson(parsed.block),
    miner_tx_hash: parsed.minerTx.id,
    tx_hashes: parsed.block.txHashes,
  };
};

export const HEADER_ROWS = {
  getLastBlockHeader: { handler: getLastBlockHeader, answeredBy: 'worker', isForwarded: true },
  getBlockHeaderByHash: { handler: getBlockHeaderByHash, answeredBy: 'worker', isForwarded: true },
  getBlockHeaderByHeight: {
    handler: getBlockHeaderByHeight,
    answeredBy: 'worker',
    isForwarded: true,
  },
  getBlockHeadersRange: { handler: getBlockHeadersRange, answeredBy: 'worker', isForwarded: true },
  getBlock: { handler: getBlock, answeredBy: 'worker', isForwarded: true },
} satisfies Partial<MethodRows>;
