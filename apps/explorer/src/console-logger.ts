import type { Logger } from '@monero-node/base';

/** Returns a logger that prints a line for each message of a level that somebody should see. */
export function consoleLogger(): Logger {
  const print =
    (level: string) =>
    (message: string): void =>
      void process.stderr.write(`${new Date().toISOString()} ${level} ${message}\n`);
  const logger: Logger = {
    error: print('error'),
    warn: print('warning'),
    info: print('info'),
    debug: () => {},
    trace: () => {},
    child: () => logger,
  };
  return logger;
}
