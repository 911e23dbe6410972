import { join } from 'node:path';
import * as lmdb from 'lmdb';
import type { ChainReader } from '../../chain-reader.ts';
import { StorageError } from '../../storage-error.ts';
import { openEnvironment, type Environment } from '../files/environment.ts';
import { DATA_FILE } from '../files/file-names.ts';
import { toStorageError } from '../errors.ts';
import { HashIndex } from '../hashes/hash-index.ts';
import { LmdbStore } from '../store/lmdb-store.ts';
import { NewestCommit } from '../files/data-file.ts';
import { Prefetcher } from '../files/prefetcher.ts';
import { RecentHashes } from '../hashes/recent-hashes.ts';
import { prepareSchema } from '../schema.ts';
import { isWithoutLocks } from './without-locks.ts';

/** A store that another process writes to. */
export interface StoreFollower {
  readonly store: ChainReader;
  /** Number of the commit that is read. At first it is the newest one, which the writer may not have named yet. */
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
 * later one is reported. Before the first report the writer must take it for a reader of the commit that it had named last
 * when it started the process.
 *
 * The data file is open for reading only, and LMDB's lock file is not touched at all (`openWithoutLocks`): whatever becomes of
 * this process, and however often one like it is killed, the database stays as the writer left it. With LMDB's own locks it
 * would not: processes that open and close the environment remove each other's readers from the lock file, after which pages
 * in use are overwritten.
 *
 * LMDB does not know this reader, and still everything that it reads belongs to one commit:
 *
 * - The commit stays whole. LMDB writes only to pages that were freed by a commit before that of its oldest known reader. A
 *   page of commit N is freed by a later one. So while the writer has a read transaction on N or an earlier commit, no page
 *   of N is written to. It begins that transaction before it names N (`CommitShare`), and this process ends its own on an
 *   earlier commit before it reports N.
 * - The transaction is on that commit. LMDB takes the newer one of two headers. A commit writes to the older one, its number
 *   last. If N is the newest number before and after LMDB took a header, no commit after N had been completed meanwhile:
 *   the header was that of N, and nobody wrote to it, because the commit that does is the second after N.
 *
 * The tables are opened before that can be known. All that is kept of it are the names of tables, which never change.
 *
 * The process must end without closing anything. Throws StorageError, and Error when `openWithoutLocks` was not called.
 */
export async function openFollower(path: string): Promise<StoreFollower> {
  // The types of the package omit it.
  const { nativeAddon } = lmdb as typeof lmdb & { readonly nativeAddon: object };
  if (!isWithoutLocks(nativeAddon)) {
    throw new Error('openWithoutLocks was not called before the lmdb package was loaded');
  }
  try {
    const newest = new NewestCommit(join(path, DATA_FILE));
    const environment = openEnvironment({ path, syncMode: 'fast', readOnly: true, follows: true });
    followNewest(environment, newest);
    await prepareSchema(environment);
    const prefetcher = new Prefetcher(environment);
    const recent = new RecentHashes(environment);
    const hashes = new HashIndex({ environment, recent, prefetcher }, WAITING_HASHES);
    const store = new LmdbStore({ environment, hashes, prefetcher });
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
/** Attempts to begin a transaction between two commits, which takes some microseconds. */
const ATTEMPTS = 1000;

function followNewest(environment: Environment, newest: NewestCommit): void {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
    if (environment.follow(newest.read(), newest)) return;
  throw new StorageError('io', `${environment.path} changes too fast to be followed`);
}
