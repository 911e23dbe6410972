export { EVENT_BLOCK, type EventBlock } from './messages/block-table.ts';
export {
  EVENT_INPUT,
  EVENT_OUTPUT,
  EVENT_TRANSACTION,
  type EventInput,
  type EventOutput,
  type EventTransaction,
} from './messages/transaction-table.ts';
export {
  BLOCK_ADDED,
  BLOCK_REMOVED,
  MESSAGE_VERSION,
  type BlockAdded,
  type BlockRemoved,
  type ChainMessage,
} from './messages/chain-message.ts';
export {
  COUNTERS,
  POOL_ADDED,
  POOL_REMOVED,
  type Counters,
  type PoolAdded,
  type PoolMessage,
  type PoolRemovalReason,
  type PoolRemoved,
} from './messages/pool-message.ts';
export type { EventMessage } from './messages/tables.ts';
export { decodeEvent, encodeEvent, type Encoding } from './encoding/encoding.ts';
export { connectEvents, type ConnectOptions } from './broker/connect.ts';
export { defaultNaming, type EventNaming } from './broker/names.ts';
export {
  EventStream,
  type EventStreamDependencies,
  type EventStreamOptions,
} from './consume/event-stream.ts';
export type { ChainHandler, PlacedBlock, PoolHandler, Position } from './consume/handlers.ts';
export {
  EventGroup,
  type EventGroupDependencies,
  type EventGroupOptions,
  type GroupEvent,
} from './consume/event-group.ts';
