import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** Without a miner there is no hash rate to log. */
export const setLogHashRate = defineMethod({
  paths: ['/set_log_hash_rate'],
  summary: 'Turns logging of the hash rate on or off.',
  restricted: 'hidden',
  base: 'basic',
  request: { visible: f.bool() },
  response: {},
  handler: () => {
    throw new RpcStatus('NOT MINING');
  },
});
