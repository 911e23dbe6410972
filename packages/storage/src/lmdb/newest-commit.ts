import { closeSync, openSync, readSync } from 'node:fs';
import { newestMeta } from './data-file.ts';

/** Reads the number of the newest commit from the header of a data file, in a few microseconds. */
export class NewestCommit {
  readonly #path: string;
  readonly #file: number;

  /** Throws the error of the system when the file cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
  }

  /** Returns the number. Throws StorageError `damaged`. */
  read(): number {
    const at = (target: Uint8Array, position: number): number =>
      readSync(this.#file, target, 0, target.length, position);
    return Number(newestMeta(at, this.#path).txnId);
  }

  close(): void {
    closeSync(this.#file);
  }
}
