import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { checkedHeight, headerOf } from '../blocks/block-header.ts';
import { JsonRpcError } from '../errors.ts';

/** Returns the header of the main-chain block at a height. Throws JsonRpcError for a height above the chain. */
export const getBlockHeaderByHeight: HandlerOf<'getBlockHeaderByHeight'> = async (
  request,
  { chain, blocks, restricted },
) => {
  const block = blocks.at(checkedHeight(chain, request.height));
  if (block === undefined) {
    throw new JsonRpcError(
      RPC_ERROR.internal,
      `Internal error: can't get block by height. Height = ${request.height}.`,
    );
  }
  return { block_header: await headerOf(chain, block, request.fill_pow_hash && !restricted) };
};
