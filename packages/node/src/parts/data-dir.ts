import { StorageError } from '@monero-node/storage/memory';
import { makeFolder, systemCodeOf } from '@monero-node/storage/system';

/** Permissions of a new data directory. It holds keys and shows which transactions came from this node. */
const OWNER_ONLY = 0o700;

/**
 * Makes the data directory if it is missing, for its owner only. An existing one keeps its permissions. Throws StorageError `io`, which names
 * the option.
 */
export function makeDataDir(path: string): void {
  try {
    makeFolder(path, OWNER_ONLY);
  } catch (cause) {
    const why = `cannot make the data directory ${path} (--data-dir): ${(cause as Error).message}`;
    throw new StorageError('io', why, { cause, systemCode: systemCodeOf(cause) });
  }
}
