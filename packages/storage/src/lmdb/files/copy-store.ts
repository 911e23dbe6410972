import { mkdirSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toStorageError } from '../errors.ts';
import type { Environment } from './environment.ts';
import { DATA_FILE } from './file-names.ts';
import { requireSpace } from './require-space.ts';
import type { ChainTop } from './snapshot.ts';
import { openImage, type StoreImage } from './store-image.ts';

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
    const image = await openImage(environment);
    try {
      const { height, topId, size } = image;
      requireSpace(dirname(folder), size, 'the backup');
      mkdirSync(folder);
      try {
        await writeImage(image, join(folder, DATA_FILE), options);
      } catch (error) {
        removeQuietly(folder);
        throw error;
      }
      return { height, topId, size };
    } finally {
      await image.close();
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

/** Bytes copied at a time. */
const CHUNK = 2 ** 20;
/** Bytes after which they are flushed, so that the progress shown is that of the disk. */
const FLUSH_EVERY = 2 ** 28;

export interface CopyOptions {
  /** Ends the copy with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each MiB or so, with bytes. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Writes an image to a new file and flushes it.
 *
 * Throws StorageError, the error of the system, and the reason of the signal.
 */
async function writeImage(
  image: StoreImage,
  target: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<void> {
  const { size } = image;
  const copy = await open(target, 'wx');
  try {
    const buffer = new Uint8Array(CHUNK);
    for (let at = 0, flushed = 0; at < size;) {
      signal?.throwIfAborted();
      const chunk = buffer.subarray(0, Math.min(CHUNK, size - at));
      await image.read(chunk, at);
      await writeAll(copy, chunk, at);
      at += chunk.length;
      if (at - flushed >= FLUSH_EVERY) {
        await copy.datasync();
        flushed = at;
      }
      onProgress?.(at, size);
    }
    await copy.sync();
  } finally {
    await copy.close();
  }
}

/** A disk that is nearly full may take a part of what is written. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const rest = bytes.length - done;
    const { bytesWritten } = await file.write(bytes, done, rest, position + done);
    done += bytesWritten;
  }
}
