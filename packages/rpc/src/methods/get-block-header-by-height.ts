import { BLOCK_HEADER, checkedHeight, headerOf } from '../chain/block-header.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getBlockHeaderByHeight = defineMethod({
  names: ['get_block_header_by_height', 'getblockheaderbyheight'],
  summary: 'Gives the header of the block at a height.',
  restricted: 'served',
  steady: true,
  base: 'access',
  request: { height: f.u64(), fill_pow_hash: f.bool() },
  response: { block_header: f.object(BLOCK_HEADER) },
  handler: async (request, { chain, blocks, restricted }) => {
    const block = blocks.at(checkedHeight(chain, request.height));
    if (block === undefined) {
      throw new RpcError(
        RPC_ERROR.internal,
        `Internal error: can't get block by height. Height = ${request.height}.`,
      );
    }
    return { block_header: await headerOf(chain, block, request.fill_pow_hash && !restricted) };
  },
});
