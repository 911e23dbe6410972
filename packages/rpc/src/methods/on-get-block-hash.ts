import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { checkedHeight } from '../blocks/block-header.ts';
import { JsonRpcError } from '../errors.ts';

/**
 * Returns the 32-byte id of the main-chain block at a height. Throws JsonRpcError unless the request is one height
 * within the chain.
 */
export const onGetBlockHash: HandlerOf<'onGetBlockHash'> = (items, { chain }) => {
  const [height] = items;
  if (height === undefined || items.length !== 1) {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Wrong parameters, expected height');
  }
  const meta = chain.store.blockMeta(checkedHeight(chain, height));
  if (meta === undefined) throw new JsonRpcError(RPC_ERROR.internal, 'Internal error');
  return meta.id;
};
