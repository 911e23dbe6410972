import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
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
 * Copies the newest commit of an environment, and none of those that follow meanwhile, to a data file in a folder.
 *
 * Throws StorageError `io`, and the reason of the signal. When the disk has too little space, nothing is written.
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
        makeFolder(folder);
        await copyFileBelow(source, join(folder, DATA_FILE), { head, size }, options);
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
