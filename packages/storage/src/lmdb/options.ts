import { NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { StorageError } from '../storage-error.ts';

/** How much a power cut may cost; a killed process loses nothing in any mode. See `openLmdbStore`. */
export type SyncMode = (typeof SYNC_MODES)[number];
const SYNC_MODES = ['safe', 'fast', 'fastest'] as const;

export interface LmdbStoreOptions {
  /** Directory of the store; created if missing, unless read-only. */
  path: string;
  /** `fast` when absent. */
  syncMode?: SyncMode;
  /**
   * Neither takes the process lock nor writes. It may be open beside a writer of the same process only: readers that other
   * processes open and close make the lmdb package (3.5.6) overwrite pages in use, which damages the store.
   */
  readOnly?: boolean;
  /** With `readOnly`: takes the process lock, so that no other process writes. */
  exclusive?: boolean;
  /**
   * How many transaction ids and key images may wait in memory before they are written to their
   * tables: an eighth of what the tables hold, but at most this, 2^19 when absent (about 40 MiB).
   * The more, the fewer pages a commit touches, and the longer a start takes, because it reads their blocks.
   */
  waitingHashes?: number;
  /**
   * How many hashes of each of the two tables may be collected in its recent table, when absent an eighth of what the
   * table holds. The more, the fewer pages of large tables are written.
   */
  recentHashes?: number;
  /**
   * Bytes of memory that the system has for this process and for the pages of the file; the machine's, or the container's,
   * when absent. A store of more than half of it reads rows ahead of their look-up; see `ChainReader.prefetch`.
   */
  memoryBytes?: number;
  /**
   * Called once, when a write or a flush has failed. The store then refuses every further write with the same error
   * until a new process opens it; reads go on.
   */
  onFailure?: (error: StorageError) => void;
  /** Receives a sentence about something odd that does not prevent opening, for example other files in the folder. */
  onNotice?: (sentence: string) => void;
}

export const LMDB_STORE_OPTIONS: OptionTable<LmdbStoreOptions> = {
  path: NEEDED,
  syncMode: { optional: true, choices: SYNC_MODES },
  readOnly: OPTIONAL,
  exclusive: OPTIONAL,
  waitingHashes: OPTIONAL,
  recentHashes: OPTIONAL,
  memoryBytes: OPTIONAL,
  onFailure: OPTIONAL,
  onNotice: OPTIONAL,
};
