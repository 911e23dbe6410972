import { closeSync, openSync, readSync } from 'node:fs';
import { newestTxnId, pageSizeOf, type ReadAt } from './data-file.ts';

/**
 * Reads the number of the newest commit from the header of a data file, in a few microseconds. Another process may be
 * committing: the number is the last that a commit writes, and it is read in one piece.
 */
export class NewestCommit {
  readonly #path: string;
  readonly #file: number;
  readonly #pageSize: number;

  /** Throws the error of the system when the file cannot be opened, StorageError `damaged` when it is not a file of LMDB. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    this.#pageSize = pageSizeOf(this.#read, path);
  }

  /** Returns the number. Throws StorageError `damaged`. */
  read(): number {
    return Number(newestTxnId(this.#read, this.#pageSize, this.#path));
  }

  close(): void {
    closeSync(this.#file);
  }

  readonly #read: ReadAt = (target, position) =>
    readSync(this.#file, target, 0, target.length, position);
}
