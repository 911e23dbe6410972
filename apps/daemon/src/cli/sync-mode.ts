import type { OptionReader } from './option-reader.ts';
import { UsageError } from './option-types.ts';

/** How much a commit waits for the disk. */
export type SyncMode = 'safe' | 'fast' | 'fastest';

/** Default of monerod; here its first word counts. */
export const DEFAULT_SYNC_MODE = 'fast:async:250000000bytes';

const FORM = /^(safe|fast|fastest)(:(sync|async))?(:\d+(blocks|bytes)?)?$/;

/**
 * Reads `--db-sync-mode`. Throws UsageError when it has not the form that monerod documents.
 * Source: init in src/cryptonote_core/cryptonote_core.cpp.
 */
export function readSyncMode(values: OptionReader): SyncMode {
  const text = values.text('db-sync-mode') ?? DEFAULT_SYNC_MODE;
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
  const text = values.text('db-sync-mode') ?? DEFAULT_SYNC_MODE;
  if (text === DEFAULT_SYNC_MODE || !text.includes(':')) return [];
  return [`--db-sync-mode: '${text.slice(text.indexOf(':'))}' has no effect`];
}
