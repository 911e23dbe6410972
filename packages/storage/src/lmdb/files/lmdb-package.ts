import { open } from 'lmdb';
import type { FileStats, TreeStats } from '../../page-use.ts';
import type { SyncMode } from '../options.ts';
import { TABLE_NAMES, type TableKey } from '../tables/tables.ts';

// These interfaces are what this package uses of the lmdb package. Its own types stand nowhere in ours: its declarations do not compile
// with `skipLibCheck: false` (TS1203), so that whoever imports a type that leads to them could not compile either; and they omit some
// calls.

/** A view of the files as they were when it was opened, until it is done. */
export interface LmdbTransaction {
  done(): void;
}

/** Which rows are read, in the order of their keys. */
interface LmdbRange {
  readonly start?: TableKey;
  readonly limit?: number;
  readonly reverse?: boolean;
  readonly transaction?: LmdbTransaction;
}

/** A table. Its values are views that the next read may overwrite. */
export interface LmdbTable {
  getBinaryFast(key: TableKey, options?: { transaction?: LmdbTransaction }): Uint8Array | undefined;
  put(key: TableKey, value: Uint8Array, options?: { append: true }): Promise<boolean>;
  remove(key: TableKey): Promise<boolean>;
  prefetch(keys: readonly TableKey[], callback: () => void): void;
  getRange(range: LmdbRange): Iterable<{ readonly key: TableKey; readonly value: Uint8Array }>;
  getKeys(range: LmdbRange): Iterable<TableKey>;
  getStats(): TreeStats & { readonly entryCount: number };
}

/** How a table is opened. */
interface LmdbTableOptions {
  readonly name: string;
  readonly keyEncoding?: 'uint32' | 'binary';
  readonly encoding: 'binary';
  /** Whether a writer creates a table that is missing; so it does when absent. */
  readonly create?: boolean;
}

/** The files. */
export interface Root {
  readonly env?: NativeWriter;
  /** Returns undefined when the table was never created and is not created now, which lmdb's types omit. */
  openDB(options: LmdbTableOptions): LmdbTable | undefined;
  useReadTransaction(): LmdbTransaction;
  resetReadTxn(): void;
  readerList(): string;
  backup(folder: string, compact: boolean): Promise<void>;
  sync(callback: (error?: unknown) => void): void;
  getStats(): FileStats;
  close(): Promise<void>;
}

/** The native part of lmdb that starts a write on its thread and reports the outcome as a number. */
interface NativeWriter {
  startWriting?(address: number, done: (status: number) => unknown): unknown;
}

/** Statuses that are no failure: written, nothing to resolve, callbacks wanted. Source: startWriting in lmdb's write.js. */
const LAST_GOOD_STATUS = 2;

const FIXED_OPTIONS = {
  noSubdir: false,
  encoding: 'binary',
  maxDbs: TABLE_NAMES.length + 4,
  // Overlapping sync would resolve commits before they are on disk and decide on its own which one
  // survives a power cut. `openLmdbStore` documents plain LMDB semantics.
  overlappingSync: false,
  // Look-ups by hash are scattered.
  noReadAhead: true,
} as const;

/** LMDB's options for each sync mode; `openLmdbStore` describes their cost and safety. */
const SYNC_OPTIONS = {
  safe: {},
  fast: { noMetaSync: true },
  fastest: { noSync: true },
} as const satisfies Record<SyncMode, object>;

/** Opens the files in a directory. Throws what lmdb throws. */
export function openRoot(options: {
  readonly path: string;
  readonly readOnly: boolean;
  readonly syncMode: SyncMode;
}): Root {
  const root: unknown = open<Uint8Array, TableKey>({
    path: options.path,
    readOnly: options.readOnly,
    ...FIXED_OPTIONS,
    ...SYNC_OPTIONS[options.syncMode],
  });
  hushFailedCommits(root as Root);
  return root as Root;
}

/**
 * Keeps the lmdb package from printing the stack of a commit that failed, for example because the disk is full: the error
 * reaches `Environment.write`, which reports it in a sentence. Native code of lmdb still prints "Write error" itself.
 */
function hushFailedCommits({ env }: Root): void {
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
