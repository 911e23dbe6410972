/** How an option's value is read. */
export type OptionKind = 'switch' | 'text' | 'integer' | 'list';

/**
 * What this daemon does with an option of monerod's.
 * - `works`: as monerod.
 * - `ignored`: accepted with a warning, so that old start scripts keep working; harmless to leave out.
 * - `refused`: the daemon does not start, because going on without it would not be what was asked for.
 */
export type OptionSupport = 'works' | 'ignored' | 'refused';

export interface OptionSpec {
  readonly name: string;
  readonly kind: OptionKind;
  /** Placeholder of the value in the help text. */
  readonly value?: string;
  /** As the help text shows it. */
  readonly default?: string;
  readonly help: string;
  /** DaemonSettings may stand in the config file, commands only on the command line. */
  readonly group: 'command' | 'settings';
  readonly support: OptionSupport;
  /** Why it is refused or ignored, where that is not plain. */
  readonly reason?: string;
  /** Smallest and largest integer. */
  readonly range?: readonly [number, number];
}

/** OptionReader as given: switches true or false, integers checked, lists in order. */
export type OptionValue = boolean | string | number | readonly string[];
export type OptionValues = ReadonlyMap<string, OptionValue>;

/** The command line or the config file is wrong; the message is for the person who wrote it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Whether the help text should follow. */
  readonly showHelp: boolean;

  constructor(message: string, showHelp = false) {
    super(message);
    this.showHelp = showHelp;
  }
}
