import { seedHeight } from '@monero-node/pow';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

const BACKLOG = defineTable({ fee: f.u64(), id: f.hash(), weight: f.u64() });

/** What p2pool needs to build blocks of its own. */
export const getMinerData = defineMethod({
  names: ['get_miner_data'],
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
    const { top } = chain;
    const seed = chain.store.blockMeta(seedHeight(chain.height));
    if (seed === undefined) {
      throw new RpcError(RPC_ERROR.internal, 'Internal error: failed to get miner data');
    }
    return {
      already_generated_coins: top.generatedCoins,
      difficulty: `0x${chain.nextDifficulty().toString(16)}`,
      height: chain.height,
      major_version: chain.nextVersion(),
      median_weight: chain.weightState().effectiveMedian,
      prev_id: top.id,
      seed_hash: seed.id,
      tx_backlog: pool.templateBacklog().map(({ fee, id, weight }) => ({ fee, id, weight })),
    };
  },
});
