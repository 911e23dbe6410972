import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';

export const stopMining = defineMethod({
  paths: ['/stop_mining'],
  summary: 'Stops the built-in miner.',
  restricted: 'hidden',
  available: ({ miner }) => miner !== undefined,
  base: 'basic',
  request: {},
  response: {},
  handler: async (_request, { miner }) => {
    if (miner?.status.active !== true) throw new RpcStatus('Mining never started');
    await miner.stop();
    return {};
  },
});
