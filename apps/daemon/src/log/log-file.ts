import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface LogFileOptions {
  readonly path: string;
  /** Bytes after which the file is put aside. */
  readonly maxSize: number;
  /** Files put aside that are kept; 0 keeps all. */
  readonly maxFiles: number;
}

/** A log file that is put aside as `<name>-<date>` when it has grown too big. */
export class LogFile {
  readonly #options: LogFileOptions;
  #fd: number;
  #size: number;

  /** @throws when the file cannot be opened for appending. */
  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#fd = openSync(options.path, 'a', 0o640);
    this.#size = fstatSync(this.#fd).size;
  }

  write(line: string): void {
    try {
      this.#size += writeSync(this.#fd, line);
      if (this.#size >= this.#options.maxSize) this.#rotate();
    } catch {
      // A full disk must not take the node down with it.
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #rotate(): void {
    const { path } = this.#options;
    closeSync(this.#fd);
    renameSync(path, `${path}-${new Date().toISOString().replace(/[:.]/g, '-').slice(0, -1)}`);
    this.#fd = openSync(path, 'a', 0o640);
    this.#size = 0;
    this.#prune();
  }

  #prune(): void {
    const { path, maxFiles } = this.#options;
    if (maxFiles === 0) return;
    const prefix = `${basename(path)}-`;
    const old = readdirSync(dirname(path))
      .filter((name) => name.startsWith(prefix))
      .sort();
    for (const name of old.slice(0, -maxFiles)) unlinkSync(join(dirname(path), name));
  }
}
