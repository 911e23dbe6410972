import type { HandlerOf } from '../method.ts';
import { connectionAnswer } from '../peers/connection-info.ts';

/** Returns the state of the synchronization: peers and the spans of blocks being downloaded. */
export const syncInfo: HandlerOf<'syncInfo'> = (_request, { chain, p2p }) => {
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
};
