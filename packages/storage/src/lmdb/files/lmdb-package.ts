import type { Database, RootDatabase, Transaction } from 'lmdb';
import type { TableKey } from '../tables/tables.ts';

/** A table, with calls that the types of the lmdb package omit. */
export type LmdbTable = Database<Uint8Array, TableKey> & {
  getBinaryFast(key: TableKey, options?: { transaction?: Transaction }): Uint8Array | undefined;
  put(key: TableKey, value: Uint8Array, options: { append: true }): Promise<boolean>;
  prefetch(keys: readonly TableKey[], callback: () => void): void;
};

/** The files, with calls and fields that the types of the lmdb package omit. */
export type Root = RootDatabase<Uint8Array, TableKey> & {
  readonly env?: NativeWriter;
  sync(callback: (error?: unknown) => void): void;
};

/** The native part of lmdb that starts a write on its thread and reports the outcome as a number. */
interface NativeWriter {
  startWriting?(address: number, done: (status: number) => unknown): unknown;
}

/** Statuses that are no failure: written, nothing to resolve, callbacks wanted. Source: startWriting in lmdb's write.js. */
const LAST_GOOD_STATUS = 2;

/**
 * Keeps the lmdb package from printing the stack of a commit that failed, for example because the disk is full: the error
 * reaches `Environment.write`, which reports it in a sentence. Keys and values of `root` are bytes. Native code of lmdb still
 * prints "Write error" itself.
 */
export function hushFailedCommits({ env }: Root): void {
  const start = env?.startWriting?.bind(env);
  if (env === undefined || start === undefined) return;
  // The method of native objects cannot be assigned to.
  Object.defineProperty(env, 'startWriting', {
    value: ((address, done) =>
      start(address, (status) =>
        status >= 0 && status <= LAST_GOOD_STATUS ? done(status) : hushed(() => done(status)),
      )) satisfies NativeWriter['startWriting'],
  });
}

/** Runs a function that does not wait for anything while `console.error` prints nothing. */
function hushed<T>(run: () => T): T {
  const { error } = console;
  console.error = () => undefined;
  try {
    return run();
  } finally {
    console.error = error;
  }
}

/**
 * Returns the numbers of commits in LMDB's list of readers: a line of titles, then lines of process id, thread and commit, with a
 * dash for a reader that reads nothing at this moment.
 */
export function commitsIn(list: string): bigint[] {
  return list.split('\n').flatMap((line) => {
    const commit = /^\s*\d+\s+\S+\s+(\d+)$/.exec(line)?.[1];
    return commit === undefined ? [] : [BigInt(commit)];
  });
}
