import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncMode } from '../options.ts';
import { pageUseOf, type PageUse } from '../../page-use.ts';
import { StorageError } from '../../storage-error.ts';
import { damaged, toStorageError } from '../errors.ts';
import type { NewestCommit } from './data-file.ts';
import { DATA_FILE } from './file-names.ts';
import { commitsIn, type LmdbTransaction, openRoot, type Root } from './lmdb-package.ts';
import { createTreeTables, hasTreeTables, openTableSet, type TableSet } from './table-set.ts';
import { markOpen, probeFiles } from './probe-files.ts';
import {
  TABLE_NAMES,
  type TableKey,
  type TableName,
  type WriteOp,
  eachRow,
} from '../tables/tables.ts';
import { type RowReader, SharedRow } from '../tables/rows.ts';

export interface EnvironmentOptions {
  path: string;
  syncMode: SyncMode;
  readOnly: boolean;
  /** With `readOnly`: another process writes, and `follow` says which commit is read; see `openFollower`. */
  follows?: boolean;
  /** Called once, when the environment takes no more writes because one has failed. */
  onFailure?: (error: StorageError) => void;
}

/** What is called when LMDB's thread has all there is to write, without throwing, and when reads begin to see it. */
interface WriteSteps {
  readonly onQueued?: (() => void) | undefined;
  readonly onVisible?: () => void;
}

const APPEND = { append: true } as const;

export interface Row<K extends TableKey = TableKey> {
  key: K;
  value: Uint8Array;
}

/**
 * Opens the LMDB files in a directory; a writer creates missing ones.
 *
 * Throws StorageError `damaged` or `io`.
 */
export function openEnvironment(options: EnvironmentOptions): Environment {
  try {
    // A follower must not touch the lock file.
    if (options.follows !== true) probeFiles(options.path, DATA_FILE, options.readOnly);
    return openTables(openRoot(options), options);
  } catch (error) {
    throw toStorageError(error, options.path);
  }
}

function openTables(root: Root, options: EnvironmentOptions): Environment {
  const markClosed = markOpen(options.path);
  try {
    return new Environment(root, openTableSet(root), options, markClosed);
  } catch (error) {
    void root.close().then(markClosed);
    throw error;
  }
}

/**
 * The open tables. A writer reads from a snapshot that is renewed only after a commit, so all reads between two
 * commits are consistent. A reader beside a writing process sees the newest commit, and the same one within one
 * turn of the event loop.
 */
export class Environment {
  readonly readOnly: boolean;
  /** Whether it reads what `follow` says, and not always the newest commit. */
  readonly follows: boolean;
  /** Called after each commit, once reads see it. */
  onCommit: (() => void) | undefined;
  /** Folder of the files. */
  readonly path: string;
  readonly #onFailure: EnvironmentOptions['onFailure'];
  /** Absent in a reader on the files of another environment. */
  readonly #markClosed: (() => void) | undefined;
  readonly #root: Root;
  #tables: TableSet;
  readonly #dataFile: string;
  /** The buffer in which lmdb returns values. */
  #shared: SharedRow | undefined;
  #snapshot: { transaction: LmdbTransaction } | undefined;
  #failure: StorageError | undefined;
  #size: number | undefined;
  #closed = false;
  readonly #prefetches = new Set<Promise<void>>();
  /** Number of the commit that a follower reads; 0 before the first. */
  #followed = 0;

  constructor(root: Root, tables: TableSet, options: EnvironmentOptions, markClosed?: () => void) {
    this.#root = root;
    this.#markClosed = markClosed;
    this.#tables = tables;
    this.path = options.path;
    this.#onFailure = options.onFailure;
    this.#dataFile = join(options.path, DATA_FILE);
    this.readOnly = options.readOnly;
    this.follows = options.follows ?? false;
    if (!this.readOnly) this.#renewSnapshot();
  }

  /** Number of the commit that a follower reads; 0 when there is none yet, and in environments that do not follow. */
  get followed(): number {
    return this.#followed;
  }

  /**
   * Has a follower read the commit with that number from now on, if it is the newest one. Returns false, and goes on with the
   * commit before, when it is not: then the writer is about to name a newer one.
   */
  follow(commit: number, newest: NewestCommit): boolean {
    if (newest.read() !== commit) return false;
    this.#root.resetReadTxn();
    const transaction = this.#root.useReadTransaction();
    // Why this is enough: see openFollower.
    if (newest.read() !== commit) {
      transaction.done();
      return false;
    }
    this.#snapshot?.transaction.done();
    this.#snapshot = { transaction };
    this.#followed = commit;
    this.#size = undefined;
    return true;
  }

  /** Returns a copy of a row's value. */
  get(table: TableName, key: TableKey): Uint8Array | undefined {
    const view = this.view(table, key);
    return view && Uint8Array.prototype.slice.call(view);
  }

  /** Returns a row's value in a buffer that the next read overwrites. */
  view(table: TableName, key: TableKey): Uint8Array | undefined {
    const bytes = this.#tables[table].getBinaryFast(key, this.#snapshot);
    // The buffer is shared and longer than the value: only `length` has the value's length.
    return bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Returns a reader of a row's value, in place: it reads something else after the next read of a row. */
  reader(table: TableName, key: TableKey): RowReader | undefined {
    const bytes = this.#tables[table].getBinaryFast(key, this.#snapshot);
    if (bytes === undefined) return undefined;
    // One buffer serves until a longer value needs another.
    if (bytes !== this.#shared?.source) this.#shared = new SharedRow(bytes);
    return this.#shared.reader(table, bytes.length);
  }

  has(table: TableName, key: TableKey): boolean {
    return this.view(table, key) !== undefined;
  }

  /**
   * Reads rows into the page cache, on another thread. Resolves when they are there; absent rows are skipped. Does nothing
   * once closed.
   */
  async prefetch(table: TableName, keys: readonly TableKey[]): Promise<void> {
    // The other thread would read whatever commit is the newest then.
    if (keys.length === 0 || this.follows || this.#closed) return;
    const done = new Promise<void>((resolve) => {
      this.#tables[table].prefetch(keys, resolve);
    });
    this.#prefetches.add(done);
    await done;
    this.#prefetches.delete(done);
  }

  /** Returns copies of up to `limit` rows in key order, beginning at `start`. */
  rows(table: TableName, limit: number, start?: TableKey): Row[] {
    const range = this.#tables[table].getRange({
      ...this.#snapshot,
      limit,
      ...(start !== undefined && { start }),
    });
    return Array.from(range, ({ key, value }) => ({
      key: typeof key === 'number' ? key : Uint8Array.from(key),
      value: Uint8Array.from(value),
    }));
  }

  /** Returns copies of up to `limit` keys in order, beginning at `start`. */
  keys(table: TableName, limit: number, start?: TableKey): TableKey[] {
    const range = this.#tables[table].getKeys({
      ...this.#snapshot,
      limit,
      ...(start !== undefined && { start }),
    });
    return Array.from(range, (key) => (typeof key === 'number' ? key : Uint8Array.from(key)));
  }

  /** Returns the greatest key of a table. */
  lastKey(table: TableName): TableKey | undefined {
    const keys = (reverse: boolean) =>
      Array.from(this.#tables[table].getKeys({ ...this.#snapshot, reverse, limit: 1 }));
    // Reverse ranges omit the key 0 of uint32 tables, so a table with that single row looks empty.
    return keys(true)[0] ?? keys(false)[0];
  }

  /** Whether the tables of the curve tree are there. */
  get hasTree(): boolean {
    return hasTreeTables(this.#tables);
  }

  /** Makes the tables of the curve tree, without rows. Throws StorageError as `write` does, as on a full disk. */
  createTree(): void {
    try {
      this.#tables = createTreeTables(this.#root, this.#tables);
    } catch (error) {
      throw this.#fail(error);
    }
    // A transaction does not know tables that were opened after it began.
    this.#renewSnapshot();
  }

  /** Returns the number of rows of a table. */
  rowCount(table: TableName): number {
    return this.#tables[table].getStats().entryCount;
  }

  /**
   * Returns a reader on the same files that sees the newest commit, and none after it. Until it is closed, no page of that
   * commit is reused, so the file grows.
   */
  pinned(): Environment {
    const options = { path: this.path, syncMode: 'fast', readOnly: true } as const;
    const reader = new Environment(this.#root, this.#tables, options);
    reader.#renewSnapshot();
    return reader;
  }

  /** Numbers of the commits that are being read. */
  get readCommits(): bigint[] {
    return commitsIn(this.#root.readerList());
  }

  /**
   * Writes a copy without free pages to a folder that has no data file. The thread that does it cannot be stopped.
   *
   * Throws StorageError.
   */
  async writeCompacted(folder: string): Promise<void> {
    try {
      await this.#root.backup(folder, true);
    } catch (error) {
      throw toStorageError(error, folder);
    }
  }

  /**
   * Applies the operations in order as one LMDB transaction, on LMDB's own thread. Resolves when it has been
   * committed, flushed according to the sync mode, and is visible to reads of this environment.
   * Throws StorageError `io`; nothing more can be written after that until the store is reopened.
   * @param steps called as the change makes its way
   */
  async write(ops: readonly WriteOp[], steps: WriteSteps = {}): Promise<void> {
    if (this.readOnly) throw new StorageError('read-only', 'the store was opened for reading only');
    if (this.#failure !== undefined) throw this.#failure;
    if (ops.length === 0) return;
    try {
      await this.#queueAll(ops, steps.onQueued);
    } catch (error) {
      throw this.#fail(await commitErrorOf(error));
    }
    this.#renewSnapshot();
    steps.onVisible?.();
    this.#fillDataFile();
    this.onCommit?.();
  }

  /** Bytes of the data file. Only writes make it grow: a writer records them, and a follower once for each commit. */
  get sizeOnDisk(): number {
    if (this.readOnly && !this.follows) return statSync(this.#dataFile).size;
    this.#size ??= statSync(this.#dataFile).size;
    return this.#size;
  }

  /** Returns how the pages of the data file are used. */
  pageUse(): PageUse {
    const tables = TABLE_NAMES.map((name) => this.#tables[name].getStats());
    return pageUseOf(this.#root.getStats(), tables);
  }

  /**
   * Flushes everything committed to the disk. Throws StorageError `io`; nothing more can be written after that, because
   * the system may have dropped the pages that it could not write.
   */
  async sync(): Promise<void> {
    if (this.readOnly) return;
    if (this.#failure !== undefined) throw this.#failure;
    await new Promise<void>((resolve, reject) => {
      this.#root.sync((error) => (error ? reject(this.#fail(error)) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    // LMDB's clean-up after a failed write may have damaged its memory: leave it untouched until the process ends.
    if (this.#failure?.code === 'io') return;
    this.#snapshot?.transaction.done();
    this.#snapshot = undefined;
    if (this.#markClosed === undefined) return;
    // lmdb waits for them too, but does not always say so.
    await Promise.all(this.#prefetches);
    await this.#root.close();
    this.#markClosed();
  }

  /** Remembers and reports the failure after which nothing more can be written. */
  #fail(cause: unknown): StorageError {
    const failure = toStorageError(cause, this.#dataFile);
    if (this.#failure === undefined) {
      this.#failure = failure;
      this.#onFailure?.(failure);
    }
    return this.#failure;
  }

  /** Hands all operations to lmdb in one turn of the event loop, which makes them one transaction. */
  async #queueAll(ops: readonly WriteOp[], onQueued?: () => void): Promise<void> {
    const appends: Promise<boolean>[] = [];
    // Usually one promise for all operations. Every one must be handled: if the transaction fails, each rejects.
    const all = new Set<Promise<boolean>>();
    for (const op of ops) {
      const { table, key, value, append } = op;
      const target = this.#tables[table];
      if (value === undefined) all.add(target.remove(key));
      else if (append) appends.push(target.put(key, value, APPEND));
      else eachRow(op, value, (at, row) => all.add(target.put(at, row)));
    }
    onQueued?.();
    // All of them fail or succeed together; an append returns false when its key was not the highest.
    const [added] = await Promise.all([Promise.all(appends), ...all]);
    if (added.includes(false)) throw damaged('rows are numbered beyond the end of the chain');
  }

  /**
   * LMDB does not write free pages at the end of the file. With them filled in, a short file at the next start
   * means that it was truncated.
   */
  #fillDataFile(): void {
    const { lastPageNumber, pageSize } = this.#root.getStats();
    const fullSize = (lastPageNumber + 1) * pageSize;
    try {
      const { size } = statSync(this.#dataFile);
      if (size < fullSize) truncateSync(this.#dataFile, fullSize);
      this.#size = Math.max(size, fullSize);
    } catch {
      // The commit is valid. The next start finds the file short and checks more blocks.
    }
  }

  #renewSnapshot(): void {
    const last = this.#snapshot;
    this.#root.resetReadTxn();
    this.#snapshot = { transaction: this.#root.useReadTransaction() };
    last?.transaction.done();
  }
}

/** Returns the reason for lmdb's "Commit failed", which the error carries as a promise that rejects. */
async function commitErrorOf(error: unknown): Promise<unknown> {
  if (typeof error !== 'object' || error === null || !('commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}
