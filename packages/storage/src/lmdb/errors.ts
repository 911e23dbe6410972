import { types } from 'node:util';
import { StorageError } from '../storage-error.ts';
import { describeSystemError, systemCodeOf } from '../system-error.ts';

// LMDB's return codes for a file it cannot make sense of.
const DAMAGE_CODES = new Set([
  -30797, // MDB_PAGE_NOTFOUND
  -30796, // MDB_CORRUPTED
  -30794, // MDB_VERSION_MISMATCH
  -30793, // MDB_INVALID
  -30784, // MDB_INCOMPATIBLE
  -30782, // MDB_BAD_TXN: an earlier read of this snapshot met a bad page
  -30779, // MDB_PROBLEM
]);

/**
 * Returns an error of LMDB or the file system as a StorageError (`damaged` or `io`); a StorageError is returned unchanged.
 * @param path folder or file that was used
 */
export function toStorageError(error: unknown, path: string): StorageError {
  if (error instanceof StorageError) return error;
  const cause = types.isNativeError(error) ? error : new Error(String(error));
  const code = errorCode(cause);
  if (typeof code === 'number' && DAMAGE_CODES.has(code)) return damaged(cause.message, cause);
  return new StorageError('io', describeSystemError(cause, path), {
    cause,
    systemCode: systemCodeOf(cause),
  });
}

/** Returns the `code` of an error: a string from the operating system, a number from LMDB. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/**
 * Returns the error of a damaged store.
 * @param why a clause that says what was found
 */
export function damaged(why: string, cause?: Error): StorageError {
  return new StorageError(
    'damaged',
    `the store is damaged (${why}); restore it from a copy or sync again`,
    {
      ...(cause && { cause }),
    },
  );
}
