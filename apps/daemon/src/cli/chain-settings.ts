import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseBlockGroups, type BlockGroup } from '@monero-node/consensus/block-groups';
import {
  BLOCK_GROUP_SIZE,
  type Network,
  type TrustedBlockGroups,
} from '@monero-node/consensus/networks';
import type { SyncMode } from '@monero-node/storage';
import type { CheckpointOptions } from '../checkpoints/checkpoint-keeper.ts';
import type { OptionReader } from './given-options.ts';
import { OPTION_ROWS } from './options/options.ts';
import { mayAskDns } from './p2p-settings.ts';
import { UsageError } from './usage-error.ts';

const CHECKPOINT_FILE = 'checkpoints.json';

/** The DNS is asked unless disabled or past a proxy, and its checkpoints are enforced only on request. */
export function checkpointOptions(values: OptionReader, dataDir: string): CheckpointOptions {
  const isOff = values.get('disable-dns-checkpoints') || values.get('offline');
  const off = isOff || !mayAskDns(values);
  const enforce = values.get('enforce-dns-checkpointing');
  return { file: join(dataDir, CHECKPOINT_FILE), dns: off ? 'off' : enforce ? 'enforce' : 'warn' };
}

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
  const fast = values.get('fast-block-sync');
  if (fast !== '0' && fast !== '1') {
    throw new UsageError(`Invalid fast-block-sync '${fast}': 0 or 1 expected`);
  }
  if (fast === '0') return { groups: [], line: 'Every block is verified in full.' };
  const path = values.get('block-hashes-file');
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

/**
 * Returns a warning for `--sync-pruned-blocks` without hashes. An earlier run may have pruned the chain, so that is
 * not checked.
 */
export function pruningWarnings(values: OptionReader, { groups }: TrustedBlocks): string[] {
  const inVain = values.get('sync-pruned-blocks') && groups.length === 0;
  return inVain ? ['--sync-pruned-blocks has no effect without trusted block hashes'] : [];
}

const FORM = /^(safe|fast|fastest)(:(sync|async))?(:\d+(blocks|bytes)?)?$/;

/**
 * Reads `--db-sync-mode`. Throws UsageError when it has not the form that monerod documents.
 * Source: init in src/cryptonote_core/cryptonote_core.cpp.
 */
export function readSyncMode(values: OptionReader): SyncMode {
  const text = values.get('db-sync-mode');
  const mode = FORM.exec(text)?.[1] as SyncMode | undefined;
  if (mode === undefined) {
    throw new UsageError(
      `Invalid db-sync-mode '${text}': safe, fast or fastest expected, optionally followed by :sync or :async and by :N, :Nblocks or :Nbytes`,
    );
  }
  return mode;
}

/** Returns a warning for the parts of `--db-sync-mode` that have no effect: each span of blocks is one commit here. */
export function syncModeWarnings(values: OptionReader): string[] {
  const text = values.get('db-sync-mode');
  if (text === OPTION_ROWS['db-sync-mode'].default || !text.includes(':')) return [];
  return [`--db-sync-mode: '${text.slice(text.indexOf(':'))}' has no effect`];
}
