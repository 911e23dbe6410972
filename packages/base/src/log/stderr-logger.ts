import type { Logger } from './logger.ts';

/** Returns a logger that writes what an operator should see to standard error of Node: time, level and message, a line each. */
export function stderrLogger(): Logger {
  const write =
    (level: string) =>
    (message: string): void =>
      void process.stderr.write(`${new Date().toISOString()} ${level} ${message}\n`);
  const logger: Logger = {
    error: write('error'),
    warn: write('warning'),
    info: write('info'),
    debug() {},
    trace() {},
    child: () => logger,
  };
  return logger;
}
