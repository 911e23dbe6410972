import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

/**
 * Returns the global indices of the outputs of a transaction on the chain. Throws RpcStatus when there is none with
 * this 32-byte id.
 */
export const getOutputIndexes: HandlerOf<'getOutputIndexes'> = ({ txid }, { chain }) => {
  const location = txid.length === 32 ? chain.store.txLocation(txid) : undefined;
  if (location === undefined) throw new RpcStatus('Failed');
  return { o_indexes: chain.store.outputIndices(location.height, location.position) };
};
