import type { Logger } from './logger.ts';

/** Drops every message; for tests and for programs that embed a part of the node. */
export const silentLogger: Logger = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  trace() {},
  child: () => silentLogger,
};
