import type { RootDatabase } from 'lmdb';

/** The native part of lmdb that starts a write on its thread and reports the outcome as a number. */
interface NativeWriter {
  startWriting?(address: number, done: (status: number) => unknown): unknown;
}

/** Statuses that are no failure: written, nothing to resolve, callbacks wanted. Source: startWriting in lmdb's write.js. */
const LAST_GOOD_STATUS = 2;

/**
 * Keeps the lmdb package from printing the stack of a commit that failed, for example because the disk is full: the error
 * reaches `Environment.write`, which reports it in a sentence. Keys and values of `root` are bytes. Native code of lmdb still prints "Write error" itself.
 */
export function hushFailedCommits(root: RootDatabase<Uint8Array, number | Uint8Array>): void {
  const { env } = root as unknown as { env?: NativeWriter };
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
