/** Why following ended. */
export type WatchErrorCode =
  /** What was given as a position is none: `message` says what is wrong in it. */
  | 'bad-position'
  /** The nodes have another first block than the position: another network. */
  | 'other-chain'
  /** A chain with more work replaces more blocks than are remembered: those before must be looked at again. */
  | 'too-deep';

/** Following the chain cannot go on. What passes, such as a node that is away, is none: it is told to `onTrouble`. */
export class WatchError extends Error {
  readonly code: WatchErrorCode;

  constructor(code: WatchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WatchError';
    this.code = code;
  }
}
