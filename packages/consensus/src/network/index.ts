// The networks, for programs that need no rules. Apart from ../index.ts, which loads every rule.
export { assertPowRule, NETWORKS, RANDOMX_ALGORITHMS, withOverrides } from './networks.ts';
export type { NetworkOverrides } from './networks.ts';
export { BLOCK_GROUP_SIZE } from './types.ts';
export type { HardFork, Network, NetworkName, TrustedBlockGroups } from './types.ts';
