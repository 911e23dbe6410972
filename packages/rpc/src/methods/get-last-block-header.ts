import { BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { headerOf } from '../blocks/block-header.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';

/** Returns the header of the top block. Throws RpcStatus with BUSY until the node is synchronized. */
export const getLastBlockHeader: HandlerOf<'getLastBlockHeader'> = async (
  request,
  { chain, blocks, p2p, restricted },
) => {
  if (!p2p.synchronized) throw new RpcStatus(BUSY);
  const block = blocks.at(chain.height - 1);
  if (block === undefined) {
    throw new JsonRpcError(RPC_ERROR.internal, "Internal error: can't get last block.");
  }
  return { block_header: await headerOf(chain, block, request.fill_pow_hash && !restricted) };
};
