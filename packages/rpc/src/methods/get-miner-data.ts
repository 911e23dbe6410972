import { minerData } from '../chain/miner-data.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

const BACKLOG = defineTable({ fee: f.u64(), id: f.hash(), weight: f.u64() });

/** What p2pool needs to build blocks of its own. */
export const getMinerData = defineMethod({
  names: ['get_miner_data'],
  summary: 'Gives what a miner needs that makes blocks of its own.',
  restricted: 'served',
  base: 'basic',
  request: {},
  response: {
    already_generated_coins: f.u64(),
    difficulty: f.text(),
    height: f.u64(),
    major_version: f.u8(),
    median_weight: f.u64(),
    prev_id: f.hash(),
    seed_hash: f.hash(),
    tx_backlog: f.objects(BACKLOG),
  },
  handler: (_request, { chain, p2p, pool }) => {
    if (!p2p.synchronized) throw new RpcError(RPC_ERROR.busy, 'Core is busy');
    const data = minerData(chain, pool);
    if (data === undefined) {
      throw new RpcError(RPC_ERROR.internal, 'Internal error: failed to get miner data');
    }
    return data;
  },
});
