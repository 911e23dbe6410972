import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { checkedHeight, headerJson, headerOf } from '../blocks/block-header.ts';
import { JsonRpcError } from '../errors.ts';

/** Returns the header of the main-chain block at a height. Throws JsonRpcError for a height above the chain. */
export const getBlockHeaderByHeight: HandlerOf<'getBlockHeaderByHeight'> = (
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
  if (!request.fill_pow_hash || restricted) return { block_header: headerJson(chain, block) };
  return headerOf(chain, block, true).then((header) => ({ block_header: header }));
};
