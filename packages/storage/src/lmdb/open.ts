import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { checkOptions } from '@monero-node/base/options';
import { makeFolder } from '../make-folder.ts';
import { LMDB_STORE_OPTIONS, type LmdbStoreOptions } from './options.ts';
import { StorageError } from '../storage-error.ts';
import { auditNewestBlocks } from './audit.ts';
import { createDataFile } from './create-data-file.ts';
import { inspectDataFile } from './files/data-file.ts';
import { openEnvironment, type Environment } from './files/environment.ts';
import { DATA_FILE } from './files/file-names.ts';
import { toStorageError } from './errors.ts';
import { HashIndex } from './hashes/hash-index.ts';
import type { CopyableStore } from './store/copyable-store.ts';
import { LmdbStore } from './store/lmdb-store.ts';
import { openForReading } from './files/open-for-reading.ts';
import { Prefetcher } from './files/prefetcher.ts';
import { acquireProcessLock, lockExisting, type ProcessLock } from './files/process-lock.ts';
import { RecentHashes } from './hashes/recent-hashes.ts';
import { prepareSchema } from './schema.ts';

/**
 * Opens the store in a directory, or creates one.
 *
 * A process killed at any moment loses no commit that had resolved and leaves nothing to repair, in every sync
 * mode. After a power cut or a crash of the operating system it depends on the mode:
 *
 * - `safe`: no resolved commit is lost. Each commit waits for the disk twice.
 * - `fast`: the commits after the last header that the system wrote are lost; the store stays sound.
 *   Each commit waits for the disk once.
 * - `fastest`: everything since the last `sync()` is lost, and the store may be unusable, because the system
 *   writes pages in any order. No commit waits for the disk.
 *
 * Throws StorageError `locked`, `schema-newer`, `damaged` or `io`, and OptionError for a missing or an unknown option.
 */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<CopyableStore> {
  checkOptions('openLmdbStore', options, LMDB_STORE_OPTIONS);
  try {
    return options.readOnly ? await openReader(options) : await openWriter(options);
  } catch (error) {
    throw toStorageError(error, options.path);
  }
}

/** Newest blocks to check at every start: enough to notice that the end of the store is inconsistent. */
const USUAL_AUDIT = 10;
/** Newest blocks to check when the file is too short. The end of the file belongs to the last commits, which are fewer. */
const SHORT_FILE_AUDIT = 10_000;

/** Default of `LmdbStoreOptions.waitingHashes`. */
const WAITING_HASHES = 2 ** 19;

async function openReader(options: LmdbStoreOptions): Promise<CopyableStore> {
  const { path } = options;
  const lock = options.exclusive ? await lockExisting(path) : undefined;
  try {
    return await openStore(openForReading(path), options, USUAL_AUDIT, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function openWriter(options: LmdbStoreOptions): Promise<CopyableStore> {
  const { path, syncMode = 'fast', onFailure } = options;
  makeFolder(path);
  const lock = await acquireProcessLock(path);
  try {
    const dataFile = join(path, DATA_FILE);
    const file = inspectDataFile(dataFile);
    if (file.empty) throw emptyDataFile(dataFile);
    if (!file.exists) await createDataFile(path, options.onNotice);
    // Reading past the end of a mapped file would end the process; a page of zeros is recognized as damage.
    if (file.missing > 0) truncateSync(dataFile, file.fullSize);
    const environment = openEnvironment({
      path,
      syncMode,
      readOnly: false,
      ...(onFailure && { onFailure }),
    });
    const blocksToAudit = file.missing > 0 ? SHORT_FILE_AUDIT : USUAL_AUDIT;
    return await openStore(environment, options, blocksToAudit, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A new chain must not begin silently where there may have been one. */
function emptyDataFile(dataFile: string): StorageError {
  return new StorageError(
    'damaged',
    `${dataFile} is empty: it was truncated, or the system crashed while it was made; restore it from a copy, or delete it to begin a new chain`,
  );
}

async function openStore(
  environment: Environment,
  { waitingHashes = WAITING_HASHES, recentHashes, memoryBytes }: LmdbStoreOptions,
  blocksToAudit: number,
  lock?: ProcessLock,
): Promise<CopyableStore> {
  try {
    await prepareSchema(environment);
    const recent = new RecentHashes(environment, recentHashes);
    // Each has its own, so that a commit need not wait for what is read ahead of look-ups.
    const forCommits = new Prefetcher(environment, memoryBytes);
    const hashes = new HashIndex({ environment, recent, prefetcher: forCommits }, waitingHashes);
    const prefetcher = new Prefetcher(environment, memoryBytes);
    await hashes.load();
    const store = new LmdbStore({ environment, hashes, prefetcher }, lock);
    await auditNewestBlocks(environment, hashes, store.height, blocksToAudit);
    return store;
  } catch (error) {
    await environment.close();
    throw error;
  }
}
