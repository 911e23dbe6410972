import { LogLevels } from '../log/log-levels.ts';
import { UsageError } from './usage-error.ts';

/** Returns the levels of the log that `--log-level` asks for. Throws UsageError when it does not parse. */
export function readLogLevels(logLevel: string): LogLevels {
  try {
    return new LogLevels(logLevel);
  } catch (error) {
    throw new UsageError(`--log-level: ${(error as Error).message}`);
  }
}
