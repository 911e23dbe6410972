import { mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainStore } from '../chain-store.ts';
import type { LmdbStoreOptions } from './options.ts';
import { StorageError } from '../storage-error.ts';
import { auditNewestBlocks } from './audit.ts';
import { inspectDataFile } from './data-file.ts';
import { DATA_FILE, openEnvironment, type Environment } from './environment.ts';
import { damaged, toStorageError } from './errors.ts';
import { HashIndex } from './hash-index.ts';
import { LmdbStore } from './lmdb-store.ts';
import { acquireProcessLock, type ProcessLock } from './process-lock.ts';
import { prepareSchema } from './schema.ts';

/**
 * Opens the store in a directory, or makes one.
 *
 * A process that is killed, at whatever moment, loses no commit that had resolved and leaves
 * nothing to repair, in every sync mode. What a power cut (or a crash of the operating system) may cost:
 *
 * - `safe`: nothing that had resolved. Each commit waits for the disk twice.
 * - `fast`: the last commits, up to the last one whose header the system had written; the store
 *   stays sound. Each commit waits for the disk once.
 * - `fastest`: everything since the last `sync()`, and the store may be beyond use, because the
 *   system writes pages when and in which order it likes. No commit waits for the disk.
 *
 * @throws StorageError `locked`, `schema-newer`, `damaged`, `io`
 */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<ChainStore> {
  try {
    return options.readOnly ? await openReader(options) : await openWriter(options);
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Enough to notice at once that the newest part of the store does not hang together. */
const USUAL_AUDIT = 10;
/** What is written at the end of the file belongs to the last commits; this is more than those. */
const SHORT_FILE_AUDIT = 10_000;

/** At most; see `LmdbStoreOptions.waitingHashes`. */
const WAITING_HASHES = 2 ** 20;

async function openReader(options: LmdbStoreOptions): Promise<ChainStore> {
  const { path, syncMode = 'fast' } = options;
  const file = inspectDataFile(join(path, DATA_FILE));
  if (!file.exists) throw new StorageError('io', `there is no store in ${path}`);
  if (file.missing > 0)
    throw damaged(`the end of ${path} is missing; opening it for writing checks it`);
  return openStore(openEnvironment({ path, syncMode, readOnly: true }), options, USUAL_AUDIT);
}

async function openWriter(options: LmdbStoreOptions): Promise<ChainStore> {
  const { path, syncMode = 'fast' } = options;
  mkdirSync(path, { recursive: true });
  const lock = await acquireProcessLock(path);
  try {
    const dataFile = join(path, DATA_FILE);
    const file = inspectDataFile(dataFile);
    // Reading past the end of a mapped file would end the process; a page of zeros can be told.
    if (file.missing > 0) truncateSync(dataFile, file.fullSize);
    const environment = openEnvironment({ path, syncMode, readOnly: false });
    const blocksToAudit = file.missing > 0 ? SHORT_FILE_AUDIT : USUAL_AUDIT;
    return await openStore(environment, options, blocksToAudit, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openStore(
  environment: Environment,
  { waitingHashes = WAITING_HASHES }: LmdbStoreOptions,
  blocksToAudit: number,
  lock?: ProcessLock,
): Promise<ChainStore> {
  try {
    await prepareSchema(environment);
    const hashes = new HashIndex(environment, waitingHashes);
    await hashes.load();
    const store = new LmdbStore(environment, hashes, lock);
    await auditNewestBlocks(environment, hashes, store.height, blocksToAudit);
    return store;
  } catch (error) {
    await environment.close();
    throw error;
  }
}
