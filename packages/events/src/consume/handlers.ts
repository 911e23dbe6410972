import type { EventBlock } from '../messages/block-table.ts';
import type { Counters, PoolRemovalReason } from '../messages/pool-message.ts';
import type { EventTransaction } from '../messages/transaction-table.ts';

/** Where a consumer is. Keep it together with what was made of the block, in one transaction. */
export interface Position {
  readonly height: number;
  /** Of the newest block that was applied, 32 bytes. */
  readonly id: Uint8Array;
  /** Sequence of the last message of the stream that is contained; absent while older blocks are filled in. */
  readonly sequence?: number | undefined;
}

/** A block with the position that the consumer is at once it is applied. */
export interface PlacedBlock {
  readonly block: EventBlock;
  readonly position: Position;
}

/**
 * The chain of an application. Calls come one at a time, each after the one before has resolved. When one rejects,
 * the stream asks `tip` again after a while and goes on from there: what was not stored comes again.
 */
export interface ChainHandler {
  /** Resolves to the position stored last; undefined before the first block. */
  tip(): Promise<Position | undefined>;
  /** Adds a block on the newest one. */
  apply(block: EventBlock, position: Position): Promise<void>;
  /** Removes the newest block; its parent is the newest one then. Store `sequence` as that of the new position. */
  revert(
    block: { readonly height: number; readonly id: Uint8Array },
    position: Pick<Position, 'sequence'>,
  ): Promise<void>;
  /** Adds several blocks, in order, for example in one transaction. Calls `apply` for each when absent. */
  applyMany?(blocks: readonly PlacedBlock[]): Promise<void>;
  /** Called whenever the consumer has all that the stream has. */
  caughtUp?(position: Position | undefined): Promise<void>;
}

/** The pool of an application. Calls come one at a time, never during one of the chain's. */
export interface PoolHandler {
  /** Forgets all transactions: those that are in the pool follow. Called after each connection. */
  reset(): Promise<void>;
  /** @param receivedAt Unix seconds */
  added(tx: EventTransaction, receivedAt: number): Promise<void>;
  /** The id has 32 bytes. It may be of a transaction that was never added. */
  removed(id: Uint8Array, reason: PoolRemovalReason): Promise<void>;
  counters?(counters: Counters): Promise<void>;
}
