/** An error in the command line or the config file; the message is for its author. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Whether the command line cannot be read, so that a hint to `--help` is useful. */
  readonly mentionHelp: boolean;

  constructor(message: string, mentionHelp = false) {
    super(message);
    this.mentionHelp = mentionHelp;
  }
}
