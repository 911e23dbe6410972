import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseBlockGroups, type BlockGroup } from '@monero-node/consensus/block-groups';
import {
  BLOCK_GROUP_SIZE,
  type Network,
  type TrustedBlockGroups,
} from '@monero-node/consensus/networks';
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
  if (fast === '0') return { groups: [], line: 'Every block is verified in full.' };
  const path = values.text('block-hashes-file');
  if (path !== undefined) return trusted(parse(read(path), path), path);
  const own = network.trustedBlockGroups;
  return own === undefined ? { groups: [], line: undefined } : readOwnList(own);
}

/**
 * Reads the list that belongs to a network. Throws UsageError when it cannot be read or its digest is wrong.
 *
 * @param path of another copy, for tests
 */
export function readOwnList(
  { file, sha256 }: TrustedBlockGroups,
  path: string = resolve(file),
): TrustedBlocks {
  const bytes = read(path);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new UsageError(
      `The list of trusted block hashes is damaged (${path}): install the node again, or verify every block with --fast-block-sync 0`,
    );
  }
  return trusted(parse(bytes, path), `built-in list, SHA-256 ${sha256}`);
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function parse(bytes: Uint8Array, path: string): BlockGroup[] {
  try {
    return parseBlockGroups(bytes);
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): UsageError {
  return new UsageError(`Failed to read block hashes ${path}: ${(error as Error).message}`);
}

function trusted(groups: readonly BlockGroup[], source: string): TrustedBlocks {
  const end = groups.length * BLOCK_GROUP_SIZE;
  const line = `Blocks below height ${end} are trusted when their hashes match (${source}); from there on everything is verified.`;
  return { groups, line };
}
