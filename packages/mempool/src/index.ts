export { asReported } from './admission/pool-verifier.ts';
export type { AddTxOptions, AddTxResult, TxSource } from './admission/tx-admission.ts';
export {
  fillBacklog,
  fillBlock,
  type BlockFill,
  type BlockFrame,
} from './selection/block-selection.ts';
export type { PoolChanges } from './store/change-log.ts';
export type { FeeBand, PoolFeeBands } from './stats/fee-bands.ts';
export type { RemovalReason, TxPoolEvents } from './events.ts';
export { DEFAULT_MAX_WEIGHT, LIFETIME, LIFETIME_FROM_BLOCK } from './limits.ts';
export type { IsOffense, PeerTransactions } from './admission/peer-intake.ts';
export type { PoolTransaction } from './store/pool-entry.ts';
export {
  type PoolTotals,
  poolStats,
  type CountedTransaction,
  type PoolStats,
} from './stats/pool-stats.ts';
export type { RelayMethod } from './store/relay-method.ts';
export { TxPool, type TxPoolDependencies, type TxPoolOptions } from './tx-pool.ts';
export type { BlockSelection } from './selection/template-selector.ts';
