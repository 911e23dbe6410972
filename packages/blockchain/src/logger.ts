/**
 * Where a part of the node writes its log. `child` gives a logger for another category, named in
 * full as monerod names it (`net.p2p`, `daemon.rpc`); what people should see goes to `global`.
 */
export interface Logger {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  trace(message: string): void;
  child(category: string): Logger;
}

/** Drops everything; for tests and for embedding. */
export const silentLogger: Logger = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  trace() {},
  child: () => silentLogger,
};
