export type { StratumLimits, StratumOptions } from './options.ts';
export type { BlockFate, FoundBlock } from './rigs/share-desk.ts';
export type { RigRecord } from './rigs/rig-record.ts';
export { StratumServer, type StratumCounts, type StratumDependencies } from './server.ts';
