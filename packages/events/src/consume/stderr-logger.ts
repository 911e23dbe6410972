import type { Logger } from '@monero-node/base';

/** Returns a logger that writes what an operator should see to standard error, a line each. */
export function stderrLogger(): Logger {
  const write = (message: string): void => void process.stderr.write(`${message}\n`);
  const logger: Logger = {
    error: write,
    warn: write,
    info: write,
    debug() {},
    trace() {},
    child: () => logger,
  };
  return logger;
}
