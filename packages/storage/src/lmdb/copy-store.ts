import { mkdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyFileBelow, type CopyOptions } from './copy-file.ts';
import { DATA_FILE, type Environment } from './environment.ts';
import { toStorageError } from './errors.ts';
import { requireSpace } from './require-space.ts';
import { takeSnapshot, topOf, type ChainTop } from './snapshot.ts';

/** A copy of a store. */
export interface StoreCopy extends ChainTop {
  /** Bytes of its data file. */
  readonly size: number;
}

/**
 * Copies the newest commit of an environment, and none of those that follow meanwhile, to a data file in a new folder, whose
 * parent is there.
 *
 * Throws StorageError `io`, also when the folder exists, and the reason of the signal. Nothing is left then. When the disk
 * has too little space, nothing is written.
 */
export async function copyStore(
  environment: Environment,
  folder: string,
  options: CopyOptions,
): Promise<StoreCopy> {
  try {
    const source = await open(join(environment.path, DATA_FILE), 'r');
    try {
      const { reader, head, size } = await takeSnapshot(environment, source.fd);
      try {
        const top = topOf(reader);
        requireSpace(dirname(folder), size, 'the backup');
        mkdirSync(folder);
        try {
          await copyFileBelow(source, join(folder, DATA_FILE), { head, size }, options);
        } catch (error) {
          removeQuietly(folder);
          throw error;
        }
        return { ...top, size };
      } finally {
        await reader.close();
      }
    } finally {
      await source.close();
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw toStorageError(error, folder);
  }
}

/** Removes a folder. On a disk that has failed it stays, and the caller learns why the copy failed. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The reason of the failure is thrown already.
  }
}
