import type { HandlerOf } from '../method.ts';

const UNLIMITED = 0xffffffff;

/**
 * Sets the limit on outgoing connections. An empty request sets it to 0, as in monerod; `set: false` only returns it.
 */
export const outPeers: HandlerOf<'outPeers'> = (request, { p2p }) => {
  if (request.set) p2p.setOutPeers(request.out_peers);
  return { out_peers: toU32(p2p.outPeers) };
};

/** Sets the limit on incoming connections; 2^32 - 1 means no limit. `set: false` only returns it. */
export const inPeers: HandlerOf<'inPeers'> = (request, { p2p }) => {
  if (request.set) p2p.setInPeers(request.in_peers === UNLIMITED ? -1 : request.in_peers);
  return { in_peers: toU32(p2p.inPeers) };
};

function toU32(count: number): number {
  return count < 0 ? UNLIMITED : count;
}
