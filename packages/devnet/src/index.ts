export { startNode } from './start-node.ts';
export { DevNetwork, startNetwork } from './dev-network.ts';
export { DevNode, type Funds, type ReorganizeOptions } from './dev-node.ts';
export type { DevNetworkOptions, DevNodeOptions, DevPeer } from './options.ts';
export { devAccount, type DevAccount } from './accounts.ts';
export { DevClock } from './dev-clock.ts';
export type { DevBlock } from './block-maker.ts';
export type { DevSnapshot } from './snapshots.ts';
export { LostBlockError } from './removed-blocks.ts';
