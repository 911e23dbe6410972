import { appendFileSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { readLine, writeLine, type LedgerLine } from './ledger-line.ts';

/** Its name in the data directory. */
export const LEDGER_FILE = 'mining-ledger';
/** Bytes; a file of the most blocks is a third as long. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Permissions: it shows which coins are the owner's. */
export const OWNER_ONLY = 0o600;
/** Lines of a new file that are made and written at a time: about a millisecond of the main thread. */
const LINES_AT_A_TIME = 250;

/**
 * The lines of the ledger on disk. A block is appended before anybody hears of it: the end of the process does not lose it. What cannot be
 * written, for example because the disk is full, is written later, and a damaged file is set aside: neither stops the node.
 */
export class LedgerFile {
  readonly #path: string | undefined;
  readonly #logger: Logger;
  readonly #all: () => readonly LedgerLine[];
  #lines = 0;
  /** Whether the file lacks lines or has half a line. */
  #isBehind = false;
  /** Whether the newest attempt to write failed. */
  #hasFailed = false;
  #rewriting: Promise<void> | undefined;
  /** Lines that came while a new file is being written. */
  #arrived: string[] = [];

  /**
   * @param directory where the file is; undefined: there is none, and nothing is written
   * @param all returns the lines that a new file begins with
   */
  constructor(directory: string | undefined, logger: Logger, all: () => readonly LedgerLine[]) {
    this.#path = directory === undefined ? undefined : join(directory, LEDGER_FILE);
    this.#logger = logger;
    this.#all = all;
  }

  /** Lines of the file. */
  get lines(): number {
    return this.#lines;
  }

  /** Removes the file. */
  discard(): void {
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }

  /** Returns the lines that can be read. A file with others is set aside, and `catchUp` replaces it. */
  read(): LedgerLine[] {
    if (this.#path === undefined) return [];
    try {
      const { size } = statSync(this.#path);
      if (size > MOST_BYTES) throw new Error('it is too large');
      const texts = readFileSync(this.#path, 'utf8').split('\n');
      // After the end of the last line.
      const rest = texts.pop();
      const lines = texts.flatMap((text) => readLine(text) ?? []);
      const damaged = texts.length - lines.length + (rest === '' ? 0 : 1);
      this.#lines = texts.length;
      if (damaged > 0) this.#setAside(`${damaged} of its lines cannot be read`);
      return lines;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#setAside((error as Error).message);
      return [];
    }
  }

  /** Adds a line, which `all` returns already. It is in the file when this returns, unless the file lacks others or cannot be written. */
  append(line: LedgerLine): void {
    const path = this.#path;
    if (path === undefined) return;
    const text = writeLine(line);
    // The file that is being replaced has the line too, should the new one not come about.
    if (this.#rewriting !== undefined) this.#arrived.push(text);
    if (this.#isBehind) {
      void this.rewrite();
      return;
    }
    this.#lines++;
    try {
      appendFileSync(path, text, { mode: OWNER_ONLY });
    } catch (error) {
      this.#isBehind = true;
      this.#failed(error);
    }
  }

  /** Replaces the file by one with all lines. Resolves also when it cannot be written, which `catchUp` tries again. */
  rewrite(): Promise<void> {
    const path = this.#path;
    if (path === undefined) return Promise.resolve();
    return (this.#rewriting ??= this.#replace(path));
  }

  /** Writes what could not be written before, and waits for what is being written. */
  async catchUp(): Promise<void> {
    await this.#rewriting;
    if (this.#isBehind || this.#hasFailed) await this.rewrite();
  }

  async #replace(path: string): Promise<void> {
    try {
      await this.#writeNew(path);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#arrived = [];
      this.#rewriting = undefined;
    }
  }

  async #writeNew(path: string): Promise<void> {
    const lines = this.#all();
    // A half of it, of a process that was killed, is overwritten.
    const unfinished = `${path}.new`;
    const file = await open(unfinished, 'w', OWNER_ONLY);
    try {
      await writeLines(file, lines);
      // No line can come between these three.
      appendFileSync(file.fd, this.#arrived.join(''));
      renameSync(unfinished, path);
      this.#replaced(lines.length + this.#arrived.length);
    } finally {
      await file.close();
    }
  }

  /** Notes that the file is a new one with all lines. */
  #replaced(lines: number): void {
    this.#lines = lines;
    if (this.#hasFailed) this.#logger.info('the mining ledger is written again');
    this.#hasFailed = false;
    this.#isBehind = false;
  }

  /** Says once that the file cannot be written. */
  #failed(error: unknown): void {
    if (!this.#hasFailed)
      this.#logger.error(
        `the mining ledger cannot be written, which is tried again: ${(error as Error).message}`,
      );
    this.#hasFailed = true;
  }

  #setAside(why: string): void {
    const path = this.#path ?? '';
    const kept = `${path}.damaged`;
    this.#isBehind = true;
    try {
      rmSync(kept, { force: true, recursive: true });
      renameSync(path, kept);
      this.#logger.error(`the mining ledger ${path} is damaged: ${why}. It is kept as ${kept}`);
    } catch (error) {
      this.#logger.error(
        `the mining ledger ${path} is damaged: ${why}; ${(error as Error).message}`,
      );
    }
  }
}

/** Writes lines in parts, between which others have their turn, and waits until they are on the disk. */
async function writeLines(file: FileHandle, lines: readonly LedgerLine[]): Promise<void> {
  for (let from = 0; from < lines.length; from += LINES_AT_A_TIME) {
    const part = lines.slice(from, from + LINES_AT_A_TIME);
    await file.appendFile(part.map(writeLine).join(''));
  }
  await file.sync();
}
