import { defineMethod } from '../method.ts';
import { f, withDefault } from '../wire/fields.ts';

const UNLIMITED = 0xffffffff;

/** An empty request sets the count to 0, as in monerod; `set: false` only asks. */
export const outPeers = defineMethod({
  paths: ['/out_peers'],
  summary: 'Sets or tells how many outgoing connections there may be.',
  restricted: 'hidden',
  base: 'basic',
  request: { out_peers: f.u32(), set: withDefault(f.bool(), true) },
  response: { out_peers: f.u32() },
  handler: (request, { p2p }) => {
    if (request.set) p2p.setOutPeers(request.out_peers);
    return { out_peers: toU32(p2p.outPeers) };
  },
});

export const inPeers = defineMethod({
  paths: ['/in_peers'],
  summary: 'Sets or tells how many incoming connections there may be.',
  restricted: 'hidden',
  base: 'basic',
  request: { in_peers: f.u32(), set: withDefault(f.bool(), true) },
  response: { in_peers: f.u32() },
  handler: (request, { p2p }) => {
    if (request.set) p2p.setInPeers(request.in_peers === UNLIMITED ? -1 : request.in_peers);
    return { in_peers: toU32(p2p.inPeers) };
  },
});

function toU32(count: number): number {
  return count < 0 ? UNLIMITED : count;
}
