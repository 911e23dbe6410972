import { readFileSync } from 'node:fs';
import { parseBlockGroups, type BlockGroup } from '@monero-node/consensus';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

/**
 * Hashes of blocks that need no verification: those of `--block-hashes-file`, unless
 * `--fast-block-sync 0` asks for every block to be verified.
 *
 * @throws UsageError when the file cannot be read or is no such file.
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
