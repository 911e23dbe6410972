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
  /** Size in bytes at which the file is rotated. */
  readonly maxSize: number;
  /** Number of rotated files to keep; 0 keeps all. */
  readonly maxFiles: number;
}

/**
 * A log file that is renamed to `<name>-<date>` when it reaches its size limit.
 *
 * Lines are written synchronously: when `write` returns, the kernel has the line. A buffering writer would lose the
 * last lines in the cases in which they matter most: SIGKILL, an abort for lack of memory, and a crash of native
 * code, after which no handler of Node runs.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  #fd: number;
  #size: number;

  /** Throws the error of the system when the file cannot be opened for appending. */
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
      // A full disk must not stop the node.
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
