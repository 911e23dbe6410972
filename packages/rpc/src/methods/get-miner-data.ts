import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { minerData } from '../mining/miner-data.ts';
import { JsonRpcError } from '../errors.ts';

/**
 * Returns the data that p2pool needs to build blocks. Throws JsonRpcError until the node is synchronized, and when the
 * seed block is unknown.
 */
export const getMinerData: HandlerOf<'getMinerData'> = async (_request, { chain, p2p, pool }) => {
  if (!p2p.synchronized) throw new JsonRpcError(RPC_ERROR.busy, 'Core is busy');
  const data = await minerData(chain, pool);
  if (data === undefined) {
    throw new JsonRpcError(RPC_ERROR.internal, 'Internal error: failed to get miner data');
  }
  return data;
};
