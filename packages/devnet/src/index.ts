export { startNode } from './start-node.ts';
export { DevNetwork, startNetwork } from './dev-network.ts';
export { DevNode, type Funds, type ReorganizeOptions } from './dev-node.ts';
export type { DevNetworkOptions, DevNodeOptions, DevPeer } from './options.ts';
export {
  type DevAccount,
  type DevAddressOptions,
  type DevCarrotAccount,
  devAccount,
  devAddress,
  devCarrotAccount,
} from './accounts.ts';
export type { DevConfirmation } from './payments/confirm.ts';
export {
  type DevPayment,
  PaymentError,
  type PaymentErrorCode,
  type PaymentFlaw,
  type PaymentTarget,
  type PayOptions,
} from './payments/payment-types.ts';
export { DevClock } from './dev-clock.ts';
export type { DevBlock } from './block-maker.ts';
export type { DevSnapshot } from './snapshots.ts';
export { LostBlockError } from './removed-blocks.ts';
