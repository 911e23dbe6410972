/** How an option's value is read. */
export type OptionKind = 'switch' | 'text' | 'integer' | 'list';

/**
 * How this daemon treats an option of monerod.
 * - `works`: like monerod.
 * - `ignored`: accepted with a warning, so that existing start scripts keep working; ignoring it is harmless.
 * - `refused`: the daemon does not start, because ignoring it would change what the user asked for.
 */
export type OptionSupport = 'works' | 'ignored' | 'refused';

export interface OptionSpec {
  readonly name: string;
  readonly kind: OptionKind;
  /** Placeholder of the value in the help text. */
  readonly value?: string;
  /** Default value as shown in the help text. */
  readonly default?: string;
  readonly help: string;
  /** Settings are allowed in the config file; commands only on the command line. */
  readonly group: 'command' | 'settings';
  readonly support: OptionSupport;
  /** The value of an ignored option that asks for what is done anyway: no warning is given then. `true` means any value. */
  readonly metBy?: string | true;
  /** Why it is refused or ignored, if that is not obvious. */
  readonly reason?: string;
  /** Smallest and largest integer allowed. */
  readonly range?: readonly [number, number];
}

/** Value of an option: true for a switch, a checked integer, a text, or a list in the order given. */
export type OptionValue = boolean | string | number | readonly string[];
export type OptionValues = ReadonlyMap<string, OptionValue>;

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
