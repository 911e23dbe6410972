import type { HandlerOf } from '../method.ts';
import { commonHeight } from '../blocks/common-height.ts';
import { RpcStatus } from '../errors.ts';

const MAX_IDS = 10_000;
const IDS_PER_STEP = 1000;

/**
 * Returns at most 10,000 block ids (32 bytes each), beginning with the newest block that both sides have.
 * `start_height` is not used. Throws RpcStatus without a common block.
 */
export const getHashesBin: HandlerOf<'getHashesBin'> = async (
  request,
  { chain, hostFailed, yielder },
) => {
  const { block_ids: ids } = request;
  const start = await commonHeight(chain, ids, yielder);
  if (start === undefined) {
    hostFailed();
    throw new RpcStatus('Failed', { start_height: request.start_height });
  }
  const blockIds: Uint8Array[] = [];
  for (let from = start; from < start + MAX_IDS; from += IDS_PER_STEP) {
    await yielder.yieldIfDue();
    const metas = chain.store.blockMetas(from, from + IDS_PER_STEP);
    for (const { id } of metas) blockIds.push(id);
  }
  return {
    current_height: chain.height,
    m_block_ids: blockIds,
    start_height: start,
  };
};
