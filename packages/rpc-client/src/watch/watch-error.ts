/** Why following ended, or what it cannot do anything about. */
export type WatchErrorCode =
  /** What was given as a position is none: `message` says what is wrong in it. */
  | 'bad-position'
  /** The nodes have another first block than the position: another network. */
  | 'other-chain'
  /** A chain with more work replaces more blocks than are remembered: those before must be looked at again. */
  | 'too-deep'
  /** All nodes stay on a branch without the last block that was followed and without more work: told to `onTrouble`, ends nothing. */
  | 'left'
  /** A stream of events goes on at a later block than it was asked for: told to `onTrouble`, ends nothing. */
  | 'missed';

/** Following the chain cannot go on. A node that is away, which may pass, is none. */
export class WatchError extends Error {
  readonly code: WatchErrorCode;

  constructor(code: WatchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WatchError';
    this.code = code;
  }
}
