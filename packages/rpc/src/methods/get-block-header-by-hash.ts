import { BLOCK_HEADER, headerOf, type BlockHeaderAnswer } from '../chain/block-header.ts';
import { blockIdFromHex } from '../chain/hex.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { MAX_RESTRICTED_BLOCKS } from '../limits.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getBlockHeaderByHash = defineMethod({
  names: ['get_block_header_by_hash', 'getblockheaderbyhash'],
  summary: 'Gives block headers by id.',
  restricted: 'served',
  base: 'access',
  request: { hash: f.text(), hashes: f.texts(), fill_pow_hash: f.bool() },
  response: { block_header: f.object(BLOCK_HEADER), block_headers: f.objects(BLOCK_HEADER) },
  handler: async (request, { chain, blocks, restricted, turn }) => {
    if (restricted && request.hashes.length > MAX_RESTRICTED_BLOCKS) {
      throw new RpcError(
        RPC_ERROR.restricted,
        'Too many block headers requested in restricted mode',
      );
    }
    const header = async (hash: string): Promise<BlockHeaderAnswer> => {
      await turn.rest();
      const block = blocks.byId(blockIdFromHex(hash));
      if (block === undefined) {
        throw new RpcError(
          RPC_ERROR.internal,
          `Internal error: can't get block by hash. Hash = ${hash}.`,
        );
      }
      return headerOf(chain, block, request.fill_pow_hash && !restricted);
    };
    const first = request.hash === '' ? undefined : await header(request.hash);
    const headers: BlockHeaderAnswer[] = [];
    for (const hash of request.hashes) headers.push(await header(hash));
    return { block_header: first, block_headers: headers };
  },
});
