import { renameSync } from 'node:fs';
import { AppendFile } from './append-file.ts';
import { freeRotatedPath, removeOldRotatedFiles } from './rotated-files.ts';

export interface LogFileOptions {
  readonly path: string;
  /** Size in bytes at which the file is rotated; 0 never rotates it. */
  readonly maxSize: number;
  /** Number of rotated files to keep; 0 keeps all. */
  readonly maxFiles: number;
}

/** Work of the log that may fail. */
type Task = 'write' | 'rotate' | 'reopen' | 'remove old files of';

/** Receives a sentence when the log begins to fail at something. */
export type LogTrouble = (sentence: string) => void;

/**
 * A log file that is renamed to `<name>-<date>` when it reaches its size limit.
 *
 * Lines are written synchronously: when `write` returns, the kernel has the line. A buffering writer would lose the
 * last lines in the cases in which they matter most: SIGKILL, an abort for lack of memory, and a crash of native
 * code, after which no handler of Node runs.
 *
 * Nothing throws after the constructor, because a full disk must not stop the node. A log that cannot be rotated goes
 * on in the old file.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #onTrouble: LogTrouble;
  /** Work that fails at present. It is reported once, until it has succeeded again. */
  readonly #failing = new Set<Task>();
  #file: AppendFile;
  /** Size in bytes at which to rotate. */
  #limit: number;

  /**
   * Throws the error of the system when the file cannot be opened for appending.
   * @param onTrouble may write to this log
   */
  constructor(options: LogFileOptions, onTrouble: LogTrouble = () => undefined) {
    this.#options = options;
    this.#onTrouble = onTrouble;
    this.#file = new AppendFile(options.path);
    this.#limit = options.maxSize === 0 ? Infinity : options.maxSize;
  }

  write(line: string): void {
    this.#try('write', () => this.#file.write(line));
    if (this.#file.size >= this.#limit) this.#rotate();
  }

  /**
   * Opens the file anew, after another program has renamed or removed it. Returns false when that fails; it is reported then,
   * and the old file stays open.
   */
  reopen(): boolean {
    return this.#try('reopen', () => {
      const next = new AppendFile(this.#options.path);
      this.#file.close();
      this.#file = next;
    });
  }

  close(): void {
    this.#file.close();
  }

  #rotate(): void {
    const { path, maxSize, maxFiles } = this.#options;
    if (this.#try('rotate', () => this.#renew())) {
      this.#limit = maxSize;
      if (maxFiles > 0)
        this.#try('remove old files of', () => removeOldRotatedFiles(path, maxFiles));
    } else {
      // Not before every line: each attempt costs several calls of the system.
      this.#limit = this.#file.size + maxSize;
    }
  }

  /** Renames the file and opens a new one. Throws, with the old file still open and in its place, when it cannot. */
  #renew(): void {
    const { path } = this.#options;
    const rotated = freeRotatedPath(path, new Date());
    const renamed = renameIfThere(path, rotated);
    let next: AppendFile;
    try {
      next = new AppendFile(path);
    } catch (error) {
      if (renamed) renameIfThere(rotated, path);
      throw error;
    }
    this.#file.close();
    this.#file = next;
  }

  /** Runs a task that may fail, and reports the first failure in a row; returns whether it succeeded. */
  #try(task: Task, run: () => void): boolean {
    try {
      run();
      this.#failing.delete(task);
      return true;
    } catch (error) {
      if (!this.#failing.has(task)) {
        this.#failing.add(task);
        const { path } = this.#options;
        this.#onTrouble(`cannot ${task} the log file ${path}: ${(error as Error).message}`);
      }
      return false;
    }
  }
}

/** Renames a file; returns false when it is not there, for example because somebody deleted it. */
function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
