import type { HandlerOf } from '../method.ts';

/** 3.16, the interface of release 0.18.5.1. Clients test the major part only. */
const RPC_VERSION = (3 << 16) | 16;

/** Returns the version of the RPC, the heights of the hard forks and the height of the chain. */
export const getVersion: HandlerOf<'getVersion'> = (_request, { chain, p2p, node }) => ({
  current_height: chain.height,
  hard_forks: chain.network.hardForks.map(({ height, version }) => ({
    height,
    hf_version: version,
  })),
  // Anything else behind a dash marks a build that is no release.
  release: !node.version.replace(/-release$/, '').includes('-'),
  target_height: p2p.synchronized ? 0 : p2p.targetHeight,
  version: RPC_VERSION,
});
