import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

const MAX_IDS = 10_000;

/** Block ids from the newest block both sides have, which is included. `start_height` is not used. */
export const getHashesBin = defineMethod({
  binaryPaths: ['/get_hashes.bin', '/gethashes.bin'],
  summary: 'Gives block ids from where the caller stands on.',
  restricted: 'served',
  base: 'access',
  request: { block_ids: f.hashBlob(), start_height: f.u64() },
  response: { current_height: f.u64(), m_block_ids: f.hashBlob(), start_height: f.u64() },
  handler: (request, { chain, hostFailed }) => {
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
  },
});
