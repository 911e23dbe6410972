import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const setLogHashRate = defineMethod({
  paths: ['/set_log_hash_rate'],
  summary: 'Turns logging of the hash rate on or off.',
  restricted: 'hidden',
  base: 'basic',
  request: { visible: f.bool() },
  response: {},
  handler: ({ visible }, { miner }) => {
    if (miner?.status.active !== true) throw new RpcStatus('NOT MINING');
    miner.showHashRate(visible);
    return {};
  },
});
