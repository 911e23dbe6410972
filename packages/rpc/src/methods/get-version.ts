import { defineMethod } from '../method.ts';
import { f, omitDefault } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

/** 3.16, the interface of release 0.18.5.1. Clients test the major part only. */
const RPC_VERSION = (3 << 16) | 16;

const HARD_FORK = defineTable({ height: f.u64(), hf_version: f.u8() });

export const getVersion = defineMethod({
  names: ['get_version'],
  summary: 'Tells the version of this interface and the heights of the hard forks.',
  restricted: 'served',
  base: 'basic',
  request: {},
  response: {
    current_height: omitDefault(f.u64()),
    hard_forks: f.objects(HARD_FORK),
    release: f.bool(),
    target_height: omitDefault(f.u64()),
    version: f.u32(),
  },
  handler: (_request, { chain, p2p, node }) => ({
    current_height: chain.height,
    hard_forks: chain.network.hardForks.map(({ height, version }) => ({
      height,
      hf_version: version,
    })),
    // Anything behind a dash marks a build that is no release.
    release: !node.version.includes('-'),
    target_height: p2p.synchronized ? 0 : p2p.targetHeight,
    version: RPC_VERSION,
  }),
});
