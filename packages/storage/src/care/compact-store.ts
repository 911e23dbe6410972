import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { Environment } from '../lmdb/files/environment.ts';
import { DATA_FILE } from '../lmdb/files/file-names.ts';
import { toStorageError } from '../lmdb/errors.ts';
import { openForReading } from '../lmdb/files/open-for-reading.ts';
import { lockExisting } from '../lmdb/files/process-lock.ts';
import { requireSpace } from '../lmdb/files/require-space.ts';
import { prepareSchema } from '../lmdb/schema.ts';
import { topOf, type ChainTop } from '../lmdb/files/snapshot.ts';
import { checkCopy } from './check-copy.ts';

/** Folder in which the compacted copy is made. */
const MAKING = 'compacting';

/** Sizes of the data file in bytes. */
export interface Compaction {
  readonly before: number;
  readonly after: number;
}

export interface CompactOptions {
  /** Called with the path of the growing copy and the bytes that it will have. */
  readonly onStart?: (copy: string, size: number) => void;
}

const OPTIONS: OptionTable<CompactOptions> = { onStart: OPTIONAL };

/**
 * Replaces the data file of a store at rest by a copy without free pages, in one step, once the copy is on the disk and checked.
 * A process that ends meanwhile leaves the old file, and the next call removes what it left.
 *
 * Throws StorageError, and OptionError for an unknown option; the old file is then in place.
 */
export async function compactStore(
  path: string,
  options: CompactOptions = {},
): Promise<Compaction> {
  checkOptions('compactStore', options, OPTIONS);
  const { onStart } = options;
  const lock = await lockExisting(path);
  const making = join(path, MAKING);
  const dataFile = join(path, DATA_FILE);
  try {
    rmSync(making, { recursive: true, force: true });
    const before = statSync(dataFile, { throwIfNoEntry: false })?.size ?? 0;
    const top = await writeCopy(path, making, onStart);
    await flush(join(making, DATA_FILE));
    await checkCopy(making, top);
    keepOwner(dataFile, join(making, DATA_FILE));
    renameSync(join(making, DATA_FILE), dataFile);
    // It belongs to the old file.
    rmSync(join(path, 'lock.mdb'), { force: true });
    if (process.platform !== 'win32') await flush(path);
    return { before, after: statSync(dataFile).size };
  } catch (error) {
    throw toStorageError(error, path);
  } finally {
    rmSync(making, { recursive: true, force: true });
    lock.release();
  }
}

async function writeCopy(
  path: string,
  making: string,
  onStart: CompactOptions['onStart'],
): Promise<ChainTop> {
  const environment: Environment = openForReading(path);
  try {
    await prepareSchema(environment);
    const { used, pageBytes } = environment.pageUse();
    requireSpace(path, used * pageBytes, 'the compacted copy');
    mkdirSync(making);
    onStart?.(join(making, DATA_FILE), used * pageBytes);
    await environment.writeCompacted(making);
    return topOf(environment);
  } finally {
    await environment.close();
  }
}

/** Sets the owner and the permissions of the copy to those of the file: an administrator may compact the chain of another user. */
function keepOwner(file: string, copy: string): void {
  const { gid, mode, uid } = statSync(file);
  chmodSync(copy, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(copy, uid, gid);
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
