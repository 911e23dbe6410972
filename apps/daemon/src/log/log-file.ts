import { readdir, unlink, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Mutex } from '@monero-node/base';
import { makeFolder } from '@monero-node/storage';
import { AppendFile, type AppendEvents } from './append-file.ts';

/** The end that rotation adds to the name of a log: the time, and a number if that name was taken. */
const SUFFIX = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}(?:-\d{3,})?$/;

/**
 * Returns a path for the rotated log that no file has yet: `<path>-<date>`, or with `-001`, `-002`, … after it. It sorts
 * after the names of all logs that were rotated before. Rejects with the error of the system.
 */
async function freeRotatedPath(path: string, now: Date): Promise<string> {
  const wanted = `${path}-${now.toISOString().replace(/[:.]/g, '-').slice(0, -1)}`;
  const names = await readdir(dirname(path));
  const taken = names.filter((name) => name.startsWith(basename(wanted)));
  const numbers = taken.map((name) => Number(name.slice(basename(wanted).length + 1)) || 0);
  if (numbers.length === 0) return wanted;
  return `${wanted}-${String(Math.max(...numbers) + 1).padStart(3, '0')}`;
}

/** Removes the oldest rotated files of a log until `keep` are left. Rejects with the error of the system. */
async function removeOldRotatedFiles(path: string, keep: number): Promise<void> {
  const name = basename(path);
  const names = await readdir(dirname(path));
  const rotated = names
    .filter((other) => other.startsWith(name) && SUFFIX.test(other.slice(name.length)))
    .sort();
  for (const old of rotated.slice(0, -keep)) await unlink(join(dirname(path), old));
}

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
 * Lines are handed to another thread, so that a slow disk does not hold the event loop. `flushSync` writes those that still
 * wait when the process ends. A SIGKILL or a crash of native code may lose the lines of the last milliseconds.
 *
 * Nothing throws after the constructor, because a full disk must not stop the node. A log that cannot be rotated goes
 * on in the old file.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #onTrouble: LogTrouble;
  /** Work that fails at present. It is reported once, until it has succeeded again. */
  readonly #failing = new Set<Task>();
  /** Held while one file replaces another. */
  readonly #change = new Mutex();
  readonly #events: AppendEvents;
  #file: AppendFile;
  /** Files that were replaced and are being closed. */
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;
  #isRotating = false;
  #lost = 0;
  /** Size in bytes at which to rotate. */
  #limit: number;

  /**
   * Throws the error of the system when the file cannot be opened for appending.
   * @param onTrouble may write to this log
   */
  constructor(options: LogFileOptions, onTrouble: LogTrouble = () => undefined) {
    this.#options = options;
    this.#onTrouble = onTrouble;
    this.#events = {
      written: () => this.#onWritten(),
      failed: (error) => this.#onFailure('write', error),
      lost: () => (this.#lost += 1),
    };
    this.#file = AppendFile.openSync(options.path, this.#events);
    this.#limit = options.maxSize === 0 ? Infinity : options.maxSize;
  }

  /** Number of the open descriptor. */
  get descriptor(): number {
    return this.#file.descriptor;
  }

  write(line: string): void {
    if (this.#isClosed) return;
    this.#file.write(line);
    if (this.#file.size >= this.#limit && !this.#isRotating) {
      this.#isRotating = true;
      void this.#rotate();
    }
  }

  /**
   * Opens the file anew, after another program has renamed or removed it. Returns false when that fails; it is reported then,
   * and the old file stays open.
   */
  async reopen(): Promise<boolean> {
    return this.#change.run(() =>
      this.#try('reopen', async () => {
        this.#replace(await AppendFile.open(this.#options.path, this.#events));
      }),
    );
  }

  /**
   * Looks for the file at its path and makes it again, with its folder, when somebody has removed it: the lines would go to a
   * file that nobody can read. Returns a sentence for the operator when it cannot be made, otherwise undefined. Never rejects.
   */
  async restore(): Promise<string | undefined> {
    if (this.#isClosed) return undefined;
    const { path } = this.#options;
    return this.#change.run(async () => {
      if (!(await this.#isGone())) return undefined;
      try {
        makeFolder(dirname(path));
        this.#replace(await AppendFile.open(path, this.#events));
      } catch (error) {
        const why = (error as Error).message;
        return `The log file ${path} has been removed and cannot be made again: ${why}. Its lines go to standard output only. Make its folder for the user of this node and restart the node; systemd makes the folder itself.`;
      }
      this.#onTrouble(`the log file ${path} had been removed; a new one was made`);
      return undefined;
    });
  }

  /**
   * Returns whether there is no file at the path. Another program may have put a new one there, and SIGUSR1 will follow. A
   * file that cannot be looked at counts as there: the open one still takes the lines.
   */
  async #isGone(): Promise<boolean> {
    try {
      await stat(this.#options.path);
      return false;
    } catch (error) {
      // ENOTDIR: a file is in the place of its folder.
      return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    }
  }

  /** Writes all waiting lines before it returns, for the end of the process. */
  flushSync(): void {
    this.#file.flushSync();
  }

  /** Resolves when all lines have been written, or could not be, and all files but the present one have been closed. */
  async flush(): Promise<void> {
    await this.#change.run(() => Promise.all([...this.#closing, this.#file.flush()]));
  }

  /** Writes all waiting lines and closes the file; later lines are ignored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#change.run(() => Promise.all(this.#closing));
    await this.#file.close();
  }

  async #rotate(): Promise<void> {
    const { path, maxSize, maxFiles } = this.#options;
    await this.#change.run(async () => {
      if (await this.#try('rotate', () => this.#renew())) {
        this.#limit = maxSize;
        if (maxFiles > 0)
          await this.#try('remove old files of', () => removeOldRotatedFiles(path, maxFiles));
      } else {
        // Not before every line: each attempt costs several calls of the system.
        this.#limit = this.#file.size + maxSize;
      }
      this.#isRotating = false;
    });
  }

  /** Renames the file and opens a new one. Rejects, with the old file still open and in its place, when it cannot. */
  async #renew(): Promise<void> {
    const { path } = this.#options;
    const rotated = await freeRotatedPath(path, new Date());
    const renamed = await renameIfThere(path, rotated);
    try {
      this.#replace(await AppendFile.open(path, this.#events));
    } catch (error) {
      if (renamed) await renameIfThere(rotated, path);
      throw error;
    }
  }

  #replace(next: AppendFile): void {
    const closed = this.#file.close();
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
    this.#file = next;
  }

  /** Runs a task that may fail; returns whether it succeeded. */
  async #try(task: Task, run: () => Promise<void>): Promise<boolean> {
    try {
      await run();
      this.#failing.delete(task);
      return true;
    } catch (error) {
      this.#onFailure(task, error as Error);
      return false;
    }
  }

  /** Reports the first failure in a row. */
  #onFailure(task: Task, error: Error): void {
    if (this.#failing.has(task)) return;
    this.#failing.add(task);
    this.#onTrouble(`cannot ${task} the log file ${this.#options.path}: ${error.message}`);
  }

  #onWritten(): void {
    this.#failing.delete('write');
    if (this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    this.#onTrouble(
      `${lost} lines are missing in the log file ${this.#options.path}, because its disk was too slow or full`,
    );
  }
}

/** Renames a file; returns false when it is not there, for example because somebody deleted it. */
async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
