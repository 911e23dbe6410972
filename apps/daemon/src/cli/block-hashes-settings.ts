import { readFileSync } from 'node:fs';
import { parseBlockGroups, type BlockGroup } from '@monero-node/consensus';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

/**
 * Reads the hashes of blocks that need no verification from `--block-hashes-file`. Returns an empty list
 * without that option or with `--fast-block-sync 0`, which verifies every block.
 *
 * Throws UsageError when the file cannot be read or has another format.
 */
export function readBlockGroups(values: OptionReader): BlockGroup[] {
  const fast = values.text('fast-block-sync') ?? '1';
  if (fast !== '0' && fast !== '1') {
    throw new UsageError(`Invalid fast-block-sync '${fast}': 0 or 1 expected`);
  }
  const path = values.text('block-hashes-file');
  if (path === undefined || fast === '0') return [];
  try {
    return parseBlockGroups(readFileSync(path));
  } catch (error) {
    throw new UsageError(`Failed to read block hashes ${path}: ${(error as Error).message}`);
  }
}
