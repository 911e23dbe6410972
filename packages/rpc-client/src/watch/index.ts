export type { WatchedClient } from './chain-node.ts';
export type {
  FoundPayment,
  FoundTransaction,
  Payment,
  PaymentScanner,
  PaymentsPosition,
  ScannedInBlock,
  StoredPayment,
} from './payment.ts';
export type { PoolEvent, PoolTransactionAdded, PoolTransactionRemoved } from './pool-follower.ts';
export { readPosition, Trail, type WatchPosition } from './position.ts';
export {
  type BlockApplied,
  type BlockEvent,
  type BlockReverted,
  type ChainEvent,
  watchBlocks,
} from './watch-blocks.ts';
export type { ServerEvent } from './event-lines.ts';
export { serverEvents, type ServerEventsOptions } from './server-events.ts';
export { WatchError, type WatchErrorCode } from './watch-error.ts';
export { type ChainRule, chainRule } from './watch-options.ts';
export type { FollowOptions, WatchBlocksOptions, WatchTrouble } from './watch-options.ts';
export {
  type PaymentEvent,
  type PaymentsApplied,
  type PaymentsReverted,
  watchPayments,
  type WatchPaymentsOptions,
} from './watch-payments.ts';
export type { PaymentsInPool } from './pool-payments.ts';
export { watchPool } from './watch-pool.ts';
