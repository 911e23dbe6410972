import { UsageError } from '../cli/usage-error.ts';
import { seedChain } from './seed-chain.ts';
import type { StoreTask } from './store-task.ts';

/**
 * Copies the chain of another node, or of a backup, into a data directory without one. Throws UsageError without a source, and what
 * `seedChain` throws.
 */
export async function seedCommand({ settings, words, print, signal }: StoreTask): Promise<void> {
  if (words.length > 0) throw new UsageError(`unexpected '${words.join(' ')}'`);
  if (settings.seedFrom === undefined) throw new UsageError('--seed-from is required');
  const logger = { info: print, warn: print };
  await seedChain(settings, settings.seedFrom, { logger, signal });
}
