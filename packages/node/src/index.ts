export { openNode, type MoneroNode, type NodeAdditions } from './open-node.ts';
export type { NodeCore } from './core.ts';
export type { NodeOptions } from './options.ts';
export { makeDataDir } from './parts/data-dir.ts';
export {
  fcmpModule,
  openEngines,
  type EngineChanges,
  type OpenEngineOptions,
  type Engines,
  type SharedEngines,
} from './parts/engines.ts';
export type { FleetFigures } from './fleet/fleet-watch.ts';
export { resolveNodes, systemNames, type FleetNode } from './fleet/resolve-nodes.ts';
export { Lifecycle, partOf, type Part } from './parts/lifecycle.ts';
export type { MiningSettings } from './parts/mining.ts';
export { CHAIN_DIR } from './parts/chain-dir.ts';
export { ExpectedWork } from './parts/expected-work.ts';
export { openChain, type OpenChainOptions, type OpenChain } from './parts/open-chain.ts';
export { DEFAULT_READINESS, type ReadinessLimits } from './parts/readiness.ts';
export type { StratumSettings } from './parts/stratum.ts';
export { claimedHeight, targetHeight, type PeerClaim } from './parts/target-height.ts';
