import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

export const getOutputIndexes: HandlerOf<'getOutputIndexes'> = ({ txid }, { chain }) => {
  const location = txid.length === 32 ? chain.store.txLocation(txid) : undefined;
  if (location === undefined) throw new RpcStatus('Failed');
  return { o_indexes: chain.store.outputIndices(location.height, location.position) };
};
