import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';

export const saveBlockchain = defineMethod({
  paths: ['/save_bc'],
  summary: 'Writes to disk what is only in memory.',
  restricted: 'hidden',
  base: 'basic',
  request: {},
  response: {},
  handler: async (_request, { node, logger }) => {
    try {
      await node.flush();
    } catch (error) {
      logger.error(`flushing the chain failed: ${String(error)}`);
      throw new RpcStatus('Error while storing blockchain');
    }
    return {};
  },
});
