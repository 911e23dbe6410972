import type { RpcRig, RpcStratum } from '../dependencies.ts';
import type { HandlerOf, MethodRows } from '../method.ts';

/** Stands for a server that is not there, whose call is not served either. */
const NO_RIGS: RpcStratum = {
  rigs: [],
  counts: { shares: { accepted: 0, stale: 0, refused: 0 } },
};

/** Returns the rigs that have logged in since the start, and their sums. */
const getStratumRigs: HandlerOf<'getStratumRigs'> = (
  _request,
  { services: { stratum = NO_RIGS } },
) => {
  const { rigs, counts } = stratum;
  const { accepted, refused, stale } = counts.shares;
  return {
    accepted,
    connected: rigs.filter(({ connections }) => connections > 0).length,
    hash_rate: Math.round(rigs.reduce((sum, { rate }) => sum + rate.current, 0)),
    refused,
    rigs: rigs.map(rigRow),
    stale,
  };
};

function rigRow(rig: RpcRig) {
  return {
    accepted: rig.accepted,
    address: rig.address,
    agent: rig.agent,
    blocks: rig.blocks,
    connections: rig.connections,
    difficulty: rig.shareDifficulty,
    hash_rate: Math.round(rig.rate.current),
    last_share: rig.lastShareAt,
    name: rig.name,
    pays: rig.pays,
    refused: rig.refused,
    since: rig.since,
    stale: rig.stale,
  };
}

export const RIG_ROWS = {
  getStratumRigs: {
    handler: getStratumRigs,
    answeredBy: 'main',
    available: ({ stratum }) => stratum !== undefined,
  },
} satisfies Partial<MethodRows>;
