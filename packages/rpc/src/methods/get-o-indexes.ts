import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getOutputIndexes = defineMethod({
  binaryPaths: ['/get_o_indexes.bin'],
  summary: 'Gives the global indices of the outputs of a transaction.',
  restricted: 'served',
  base: 'access',
  request: { txid: f.hash() },
  response: { o_indexes: f.u64s() },
  handler: ({ txid }, { chain }) => {
    const location = txid.length === 32 ? chain.store.txLocation(txid) : undefined;
    if (location === undefined) throw new RpcStatus('Failed');
    return { o_indexes: chain.store.outputIndices(location.height, location.position) };
  },
});
