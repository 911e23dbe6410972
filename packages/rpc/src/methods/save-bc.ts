import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

/** Writes the chain to disk. Throws RpcStatus when that fails. */
export const saveBlockchain: HandlerOf<'saveBlockchain'> = async (_request, { node, logger }) => {
  try {
    await node.flush();
  } catch (error) {
    logger.error(`flushing the chain failed: ${String(error)}`);
    throw new RpcStatus('Error while storing blockchain');
  }
  return {};
};
