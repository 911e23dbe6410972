import { join } from 'node:path';
import * as lmdb from 'lmdb';
import type { ChainReader } from '../chain-reader.ts';
import { DATA_FILE, openEnvironment } from './environment.ts';
import { toStorageError } from './errors.ts';
import { HashIndex } from './hash-index.ts';
import { LmdbStore } from './lmdb-store.ts';
import { NewestCommit } from './newest-commit.ts';
import { prepareSchema } from './schema.ts';
import { isWithoutLocks } from './without-locks.ts';

/** A store that another process writes to. */
export interface StoreFollower {
  readonly store: ChainReader;
  /** Number of the commit that is read; 0 before the first. */
  readonly commit: number;
  /**
   * Has the store read the commit with that number from now on. Returns false, and changes nothing, when a newer one has been
   * completed: the writer is about to name it.
   */
  follow(commit: number): boolean;
}

/**
 * Opens a store that another process has open for writing and shares with `shareCommits`. The two agree on what is read: the
 * writer names commits, this process reads those and reports which, and the writer keeps the pages of that commit until a
 * later one is reported.
 *
 * The data file is open for reading only, and LMDB's lock file is not touched at all (`openWithoutLocks`): whatever becomes of
 * this process, and however often one like it is killed, the database stays as the writer left it. With LMDB's own locks it
 * would not: processes that open and close the environment remove each other's readers from the lock file, after which pages
 * in use are overwritten.
 *
 * The process must end without closing anything. Throws StorageError, and Error when `openWithoutLocks` was not called.
 */
export async function openFollower(path: string): Promise<StoreFollower> {
  // The types of the package omit it.
  const { nativeAddon } = lmdb as unknown as { readonly nativeAddon: object };
  if (!isWithoutLocks(nativeAddon)) {
    throw new Error('openWithoutLocks was not called before the lmdb package was loaded');
  }
  try {
    const newest = new NewestCommit(join(path, DATA_FILE));
    const environment = openEnvironment({ path, syncMode: 'fast', readOnly: true, follows: true });
    await prepareSchema(environment);
    const hashes = new HashIndex(environment, WAITING_HASHES);
    const store = new LmdbStore(environment, hashes);
    return {
      store,
      get commit() {
        return environment.followed;
      },
      follow: (commit) => store.follow(commit, newest),
    };
  } catch (error) {
    throw toStorageError(error, path);
  }
}

/** Hashes that may wait in memory; those of the writer are never more. */
const WAITING_HASHES = 2 ** 19;
