import { readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Mutex } from '@monero-node/base';

/** Lines kept. */
export const HISTORY_LINES = 1000;
/** Longest line kept, characters. */
const LINE_LENGTH = 1000;
/** A larger file, bytes, was not written by a console. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface HistoryFileOptions {
  readonly path: string;
  /** Returns whether a line may be written to the disk. */
  readonly mayKeep: (line: string) => boolean;
  /** Called once, with a sentence, when the file cannot be read or written. */
  readonly onTrouble: (sentence: string) => void;
}

/** The lines typed into the console, kept in a file that only its owner may read. */
export class HistoryFile {
  readonly #options: HistoryFileOptions;
  readonly #writing = new Mutex();
  #failed = false;

  constructor(options: HistoryFileOptions) {
    this.#options = options;
  }

  /** Returns the lines of earlier runs, the newest first; none when they cannot be read. */
  load(): string[] {
    const { path } = this.#options;
    try {
      if (statSync(path).size > MAX_BYTES) throw new Error('it is too large');
      return this.#kept(readFileSync(path, 'utf8').split('\n').reverse());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#report(error);
      return [];
    }
  }

  /** Writes lines, the newest first, in place of those in the file. Never throws. */
  save(lines: readonly string[]): void {
    const text = this.#kept(lines)
      .reverse()
      .map((line) => `${line}\n`)
      .join('');
    void this.#writing.run(() => this.#write(text)).catch((error: unknown) => this.#report(error));
  }

  /** Resolves when everything handed in so far is written. */
  idle(): Promise<void> {
    return this.#writing.idle();
  }

  #kept(lines: readonly string[]): string[] {
    const { mayKeep } = this.#options;
    return lines
      .filter((line) => line !== '' && line.length <= LINE_LENGTH && !hasControls(line))
      .filter(mayKeep)
      .slice(0, HISTORY_LINES);
  }

  /** Another file is written first, so that the old lines survive a failure. */
  async #write(text: string): Promise<void> {
    const { path } = this.#options;
    const unfinished = `${path}.new`;
    await rm(unfinished, { force: true });
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  }

  #report(error: unknown): void {
    const { path, onTrouble } = this.#options;
    if (this.#failed) return;
    this.#failed = true;
    onTrouble(`The history of the console is not kept in ${path}: ${(error as Error).message}`);
  }
}

/** Whether a line could move the cursor when it is drawn. */
function hasControls(line: string): boolean {
  return /\p{Cc}/u.test(line);
}
