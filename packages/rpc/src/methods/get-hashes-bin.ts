import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

const MAX_IDS = 10_000;

/**
 * Returns at most 10,000 block ids (32 bytes each), beginning with the newest block that both sides have.
 * `start_height` is not used. Throws RpcStatus without a common block.
 */
export const getHashesBin: HandlerOf<'getHashesBin'> = (request, { chain, hostFailed }) => {
  const { block_ids: ids } = request;
  const start = ids.length > 0 ? chain.findCommonHeight(ids) : undefined;
  if (start === undefined) {
    hostFailed();
    throw new RpcStatus('Failed', { start_height: request.start_height });
  }
  return {
    current_height: chain.height,
    m_block_ids: chain.store.blockMetas(start, start + MAX_IDS).map((meta) => meta.id),
    start_height: start,
  };
};
