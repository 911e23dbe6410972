import { CONNECTION_INFO, connectionAnswer } from '../chain/connection-info.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

const PEER = defineTable({ info: f.object(CONNECTION_INFO) });
const SPAN = defineTable({
  connection_id: f.text(),
  nblocks: f.u64(),
  rate: f.u32(),
  remote_address: f.text(),
  size: f.u64(),
  speed: f.u32(),
  start_block_height: f.u64(),
});

export const syncInfo = defineMethod({
  names: ['sync_info'],
  summary: 'Tells how synchronization is going.',
  restricted: 'hidden',
  base: 'access',
  request: {},
  response: {
    height: f.u64(),
    /** Despite its name a stripe, 0 to 8. */
    next_needed_pruning_seed: f.u32(),
    overview: f.text(),
    peers: f.objects(PEER),
    spans: f.objects(SPAN),
    target_height: f.u64(),
  },
  handler: (_request, { chain, p2p }) => {
    const info = p2p.syncInfo();
    return {
      height: chain.height,
      next_needed_pruning_seed: info.nextNeededPruningStripe,
      overview: info.overview,
      peers: info.peers.map((peer) => ({ info: connectionAnswer(peer) })),
      spans: info.spans.map((span) => ({
        connection_id: span.connectionId,
        nblocks: span.nblocks,
        rate: Math.round(span.rate),
        remote_address: span.remoteAddress,
        size: span.size,
        speed: Math.round(span.speed),
        start_block_height: span.startBlockHeight,
      })),
      target_height: p2p.synchronized ? 0 : info.targetHeight,
    };
  },
});
