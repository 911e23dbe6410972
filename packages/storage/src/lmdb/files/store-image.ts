import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { toStorageError } from '../errors.ts';
import type { Environment } from './environment.ts';
import { DATA_FILE } from './file-names.ts';
import { takeSnapshot, topOf, type ChainTop, type CommitSnapshot } from './snapshot.ts';

/**
 * The bytes of the data file as of one commit, for as long as the image is open: later commits write elsewhere. Pages that no
 * table uses at that commit may change between two reads; nobody reads them.
 */
export interface StoreImage extends ChainTop {
  /** Bytes of the data file. */
  readonly size: number;
  /** Fills `target` with the bytes from `at` on; both lie within the size. Throws StorageError. */
  read(target: Uint8Array, at: number): Promise<void>;
  /** Lets the store use the pages again that the commit has kept. Calls after the first do nothing. */
  close(): Promise<void>;
}

/**
 * Keeps the newest commit of an environment for reading. The file of a store grows by what is written while an image is open.
 *
 * Throws StorageError.
 */
export async function openImage(environment: Environment): Promise<StoreImage> {
  try {
    const file = await open(join(environment.path, DATA_FILE), 'r');
    try {
      const snapshot = await takeSnapshot(environment, file.fd);
      try {
        return imageOf(environment.path, file, snapshot);
      } catch (error) {
        // A reader that stays open would keep pages of the store for as long as the process runs.
        await snapshot.reader.close();
        throw error;
      }
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw toStorageError(error, environment.path);
  }
}

function imageOf(
  path: string,
  file: FileHandle,
  { reader, head, size }: CommitSnapshot,
): StoreImage {
  let closing: Promise<void> | undefined;
  const closeBoth = async (): Promise<void> => {
    try {
      await reader.close();
    } finally {
      await file.close();
    }
  };
  return {
    ...topOf(reader),
    size,
    async read(target, at) {
      try {
        const fromHead = head.subarray(at, at + target.length);
        target.set(fromHead);
        await readAll(file, target.subarray(fromHead.length), at + fromHead.length);
      } catch (error) {
        throw toStorageError(error, path);
      }
    },
    close: () => (closing ??= closeBoth()),
  };
}

/** Fills a target with bytes of a file, and with zeros where it ends: LMDB need not have written the last pages. */
async function readAll(file: FileHandle, target: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < target.length;) {
    const { bytesRead } = await file.read(target, done, target.length - done, at + done);
    if (bytesRead === 0) {
      target.fill(0, done);
      return;
    }
    done += bytesRead;
  }
}
