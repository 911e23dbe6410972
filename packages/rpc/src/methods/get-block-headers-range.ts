import { type BlockHeaderAnswer, RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { headerOf } from '../blocks/block-header.ts';
import type { RpcContext } from '../context.ts';
import { JsonRpcError } from '../errors.ts';
import { MAX_RESTRICTED_HEADER_RANGE } from '../limits.ts';

/**
 * Returns the headers of main-chain blocks from one height to another, both included. Throws JsonRpcError for a range
 * that leaves the chain, or one that is too long on a restricted listener.
 */
export const getBlockHeadersRange: HandlerOf<'getBlockHeadersRange'> = (request, context) => {
  const { start_height: start, end_height: end } = request;
  const { chain, restricted } = context;
  if (end >= BigInt(chain.height) || start > end) {
    throw new JsonRpcError(RPC_ERROR.tooBigHeight, 'Invalid start/end heights.');
  }
  if (restricted && end - start > MAX_RESTRICTED_HEADER_RANGE) {
    throw new JsonRpcError(RPC_ERROR.restricted, 'Too many block headers requested.');
  }
  const fillPowHash = request.fill_pow_hash && !restricted;
  return { headers: headers(context, Number(start), Number(end), fillPowHash) };
};

/** One by one: without restriction the range may be the whole chain. */
async function* headers(
  { chain, blocks, yielder }: RpcContext,
  start: number,
  end: number,
  fillPowHash: boolean,
): AsyncGenerator<BlockHeaderAnswer> {
  for (let height = start; height <= end; height++) {
    await yielder.yieldIfDue();
    const block = blocks.at(height);
    if (block === undefined) {
      throw new JsonRpcError(
        RPC_ERROR.internal,
        `Internal error: can't get block by height. Height = ${height}.`,
      );
    }
    yield await headerOf(chain, block, fillPowHash);
  }
}
