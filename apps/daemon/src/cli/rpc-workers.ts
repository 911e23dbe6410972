import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

/**
 * Returns the number of processes that answer RPC calls; 0 by default.
 *
 * Throws UsageError for a number above 0 on Windows.
 */
export function rpcWorkers(values: OptionReader, platform = process.platform): number {
  const count = values.number('rpc-workers', 0);
  if (count > 0 && platform === 'win32')
    throw new UsageError('--rpc-workers does not work on Windows');
  return count;
}
