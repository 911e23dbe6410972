import { defineTable, f } from '@monero-node/codec/portable-storage';
import { EVENT_BLOCK, type EventBlock } from './block-table.ts';

/** The version of all messages. A reader refuses others; a field that is added does not change it. */
export const MESSAGE_VERSION = 1;

/** A block that has joined the chain. */
export interface BlockAdded {
  readonly version: typeof MESSAGE_VERSION;
  readonly type: 'block.added';
  readonly block: EventBlock;
}

/** A block that a reorganization has removed; it was the newest one. Its parent is the newest one now. */
export interface BlockRemoved {
  readonly version: typeof MESSAGE_VERSION;
  readonly type: 'block.removed';
  readonly height: number;
  readonly id: Uint8Array;
  readonly prev_id: Uint8Array;
}

/** A message on the chain's subject. */
export type ChainMessage = BlockAdded | BlockRemoved;

/** Fields of the message that adds a block to the chain. */
export const BLOCK_ADDED = defineTable({
  version: f.u8(),
  type: f.text(),
  block: f.object(EVENT_BLOCK),
});

/** Fields of the message that removes the newest block. */
export const BLOCK_REMOVED = defineTable({
  version: f.u8(),
  type: f.text(),
  height: f.safeU64(),
  id: f.hash(),
  prev_id: f.hash(),
});
