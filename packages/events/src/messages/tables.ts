import type { Table } from '@monero-node/codec/portable-storage';
import { BLOCK_ADDED, BLOCK_REMOVED, type ChainMessage } from './chain-message.ts';
import { COUNTERS, POOL_ADDED, POOL_REMOVED, type PoolMessage } from './pool-message.ts';

/** A message of either stream. */
export type EventMessage = ChainMessage | PoolMessage;

/** The field table of each type of message. */
export const MESSAGE_TABLES: Readonly<Record<EventMessage['type'], Table>> = {
  'block.added': BLOCK_ADDED,
  'block.removed': BLOCK_REMOVED,
  'pool.added': POOL_ADDED,
  'pool.removed': POOL_REMOVED,
  counters: COUNTERS,
};

/** Returns whether a text names a type of message. */
export function isMessageType(type: string): type is EventMessage['type'] {
  return Object.hasOwn(MESSAGE_TABLES, type);
}
