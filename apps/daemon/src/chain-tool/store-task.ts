import type { DaemonSettings } from '../cli/daemon-settings.ts';
import type { ToolOption } from './tool-options.ts';

/** The input of a subcommand that looks after the stored data, without the rules of the chain. */
export interface StoreTask {
  readonly settings: DaemonSettings;
  readonly own: ReadonlyMap<ToolOption, string>;
  /** The words after the subcommand. */
  readonly words: readonly string[];
  /** Prints a line for the user. */
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}
