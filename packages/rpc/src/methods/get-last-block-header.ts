import { BLOCK_HEADER, headerOf } from '../chain/block-header.ts';
import { BUSY, RPC_ERROR, RpcError, RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getLastBlockHeader = defineMethod({
  names: ['get_last_block_header', 'getlastblockheader'],
  summary: 'Gives the header of the top block.',
  restricted: 'served',
  steady: true,
  base: 'access',
  request: { fill_pow_hash: f.bool() },
  response: { block_header: f.object(BLOCK_HEADER) },
  handler: async (request, { chain, blocks, p2p, restricted }) => {
    if (!p2p.synchronized) throw new RpcStatus(BUSY);
    const block = blocks.at(chain.height - 1);
    if (block === undefined) {
      throw new RpcError(RPC_ERROR.internal, "Internal error: can't get last block.");
    }
    return { block_header: await headerOf(chain, block, request.fill_pow_hash && !restricted) };
  },
});
