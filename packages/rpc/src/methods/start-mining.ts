import { startMiner } from '../chain/start-miner.ts';
import { BUSY, RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

const SENTENCES = {
  subaddress: "Mining to subaddress isn't supported yet",
  alreadyMining: 'Already mining',
};

export const startMining = defineMethod({
  paths: ['/start_mining'],
  summary: 'Starts the built-in miner.',
  restricted: 'hidden',
  available: ({ miner }) => miner !== undefined,
  base: 'basic',
  request: {
    do_background_mining: f.bool(),
    ignore_battery: f.bool(),
    miner_address: f.text(),
    threads_count: f.u64(),
  },
  response: {},
  handler: async (request, context) => {
    if (!context.p2p.synchronized) throw new RpcStatus(BUSY);
    const call = {
      address: request.miner_address,
      threads: request.threads_count,
      background: request.do_background_mining,
      ignoreBattery: request.ignore_battery,
    };
    const refused = await startMiner(call, context, SENTENCES);
    if (refused !== undefined) throw new RpcStatus(refused);
    return {};
  },
});
