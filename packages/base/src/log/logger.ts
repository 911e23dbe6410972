/**
 * Writes log lines of one category. Categories are named in full, as monerod names them (`net.p2p`,
 * `daemon.rpc`); messages meant for the operator go to `global`.
 */
export interface Logger {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  trace(message: string): void;
  /** Whether messages of that level are written, for callers that would make many in vain; they may be when absent. */
  readonly writes?: (level: 'info' | 'debug' | 'trace') => boolean;
  /** Returns a logger for another category. */
  child(category: string): Logger;
}
