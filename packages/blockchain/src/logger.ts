/** Where a part of the node writes its log. `child` narrows the category, as in `net.p2p`. */
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
