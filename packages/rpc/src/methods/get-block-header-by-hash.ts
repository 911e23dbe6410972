import { type BlockHeaderAnswer, RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { headerOf } from '../blocks/block-header.ts';
import { blockIdFromHex } from '../encoding/hex.ts';
import { JsonRpcError } from '../errors.ts';
import { MAX_RESTRICTED_BLOCKS } from '../limits.ts';

/**
 * Returns the headers of blocks by id, alternative blocks included. Throws JsonRpcError for text that is not a 32-byte
 * id in hex, an unknown block, or too many ids on a restricted listener.
 */
export const getBlockHeaderByHash: HandlerOf<'getBlockHeaderByHash'> = async (
  request,
  { chain, blocks, restricted, yielder },
) => {
  if (restricted && request.hashes.length > MAX_RESTRICTED_BLOCKS) {
    throw new JsonRpcError(
      RPC_ERROR.restricted,
      'Too many block headers requested in restricted mode',
    );
  }
  const header = async (hash: string): Promise<BlockHeaderAnswer> => {
    await yielder.yieldIfDue();
    const block = blocks.byId(blockIdFromHex(hash));
    if (block === undefined) {
      throw new JsonRpcError(
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
};
