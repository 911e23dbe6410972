import type { EventEmitter } from 'node:events';

export interface SyncProgress {
  readonly height: number;
  readonly target: number;
  /** Over the last half a minute or so. */
  readonly blocksPerSecond: number;
}

/** A failed attempt to add blocks that says nothing about the blocks: no peer is to blame. */
export interface AddingFailure {
  readonly error: unknown;
  /** Whether this machine failed, such as its disk or an engine; otherwise a defect of the program. */
  readonly byMachine: boolean;
  /** Failed attempts in a row, this one included. */
  readonly attempts: number;
  /** Milliseconds since the first of them. */
  readonly lasting: number;
  /** Milliseconds until the next attempt. */
  readonly retryIn: number;
}

/** The events of synchronization and of new blocks. */
export type P2pEvents = {
  /** The chain caught up with the peers' for the first time. */
  synchronized: [];
  /** Our chain has all that the peers' have: whenever a peer joins at our height, and whenever a download from one ends with that. */
  level: [];
  /** Blocks downloaded later brought the chain level with the peers' again. */
  caughtUp: [];
  /** Blocks were added while synchronizing. */
  progress: [SyncProgress];
  /** Blocks could not be added, through no fault of a peer; it is tried again later. The package itself does not log it. */
  addingFailed: [AddingFailure];
  /** Blocks are added again, after that many failed attempts. */
  addingRecovered: [attempts: number];
  /** A peer was dropped, without points, because the time of its block is too far ahead of our clock. */
  futureBlock: [];
  /**
   * True before blocks from peers are verified, false after: monerod pauses its miner in between. Verifications may
   * overlap.
   * Source: try_add_next_blocks and handle_notify_new_fluffy_block in
   * src/cryptonote_protocol/cryptonote_protocol_handler.inl
   */
  verifying: [isVerifying: boolean];
};

/** The emitter of a node's events; synchronization and the relay of blocks emit, the rest of the node listens. */
export type P2pEmitter = EventEmitter<P2pEvents>;
