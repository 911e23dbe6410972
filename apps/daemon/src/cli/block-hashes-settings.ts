import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  BLOCK_GROUP_SIZE,
  parseBlockGroups,
  type BlockGroup,
  type Network,
  type TrustedBlockGroups,
} from '@monero-node/consensus';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

const { resolve } = createRequire(import.meta.url);

/** The blocks whose proof of work and signatures are not verified. */
export interface TrustedBlocks {
  readonly groups: readonly BlockGroup[];
  /** The line of the log about them; undefined on a network without a list of its own when none was given. */
  readonly line: string | undefined;
}

/**
 * Reads the hashes of blocks that need no verification: those of `--block-hashes-file`, or else the list of the network
 * if it has one. There are none with `--fast-block-sync 0`, which verifies every block.
 *
 * Throws UsageError when a list cannot be read, has another format or, for the network's own, another digest.
 */
export function readTrustedBlocks(values: OptionReader, network: Network): TrustedBlocks {
  const fast = values.text('fast-block-sync') ?? '1';
  if (fast !== '0' && fast !== '1') {
    throw new UsageError(`Invalid fast-block-sync '${fast}': 0 or 1 expected`);
  }
  const path = values.text('block-hashes-file');
  const own = network.trustedBlockGroups;
  if (fast === '0' || (path === undefined && own === undefined)) {
    return { groups: [], line: fast === '0' ? 'Every block is verified in full.' : undefined };
  }
  if (path !== undefined) return trusted(readList(path), path);
  return own === undefined ? { groups: [], line: undefined } : readOwnList(own);
}

function readList(path: string): BlockGroup[] {
  try {
    return parseBlockGroups(readFileSync(path));
  } catch (error) {
    throw new UsageError(`Failed to read block hashes ${path}: ${(error as Error).message}`);
  }
}

/**
 * Reads the list that belongs to a network. Throws UsageError when its digest is wrong.
 *
 * @param path of another copy, for tests
 */
export function readOwnList(
  { file, sha256 }: TrustedBlockGroups,
  path: string = resolve(file),
): TrustedBlocks {
  const groups = readList(path);
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (digest !== sha256) {
    throw new UsageError(
      `The list of trusted block hashes is damaged (${path}): install the node again, or verify every block with --fast-block-sync 0`,
    );
  }
  return trusted(groups, `built-in list, SHA-256 ${sha256}`);
}

function trusted(groups: readonly BlockGroup[], source: string): TrustedBlocks {
  const end = groups.length * BLOCK_GROUP_SIZE;
  const line = `Blocks below height ${end} are trusted when their hashes match (${source}); from there on everything is verified.`;
  return { groups, line };
}
