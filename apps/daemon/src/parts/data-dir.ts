import { makeFolder, StorageError, systemCodeOf } from '@monero-node/storage';

/** Makes the data directory if it is missing. Throws StorageError `io`, which names the option. */
export function makeDataDir(path: string): void {
  try {
    makeFolder(path);
  } catch (cause) {
    const why = `cannot make the data directory ${path} (--data-dir): ${(cause as Error).message}`;
    throw new StorageError('io', why, { cause, systemCode: systemCodeOf(cause) });
  }
}
