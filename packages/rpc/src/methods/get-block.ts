import type { HandlerOf } from '../method.ts';
import { blockToJson } from '@monero-node/codec';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import { checkedHeight, headerOf } from '../blocks/block-header.ts';
import { blockIdFromHex } from '../encoding/hex.ts';
import { JsonRpcError } from '../errors.ts';

/**
 * Returns a block by id or by height, as a blob and as JSON. Throws JsonRpcError for an unknown block, a height above
 * the chain, or text that is not a 32-byte id in hex.
 */
export const getBlock: HandlerOf<'getBlock'> = async (request, { chain, blocks, restricted }) => {
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
