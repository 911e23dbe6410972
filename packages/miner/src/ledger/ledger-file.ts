import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { readLine, writeLine, type LedgerLine } from './ledger-line.ts';

/** Its name in the data directory. */
export const LEDGER_FILE = 'mining-ledger';
/** Bytes; a file of the most blocks is a third as long. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Permissions: it shows which coins are the owner's. */
export const OWNER_ONLY = 0o600;

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

  /** Returns the lines that can be read. A file with others is set aside, and `write` replaces it. */
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

  /** Adds a line. */
  append(line: LedgerLine): void {
    const path = this.#path;
    if (path === undefined) return;
    if (this.#isBehind) return this.write();
    this.#lines++;
    this.#try(() => appendFileSync(path, writeLine(line), { mode: OWNER_ONLY }));
  }

  /** Replaces the file by one with all lines. */
  write(): void {
    const path = this.#path;
    if (path === undefined) return;
    const lines = this.#all();
    const unfinished = `${path}.new`;
    this.#try(() => {
      const text = lines.map(writeLine).join('');
      writeFileSync(unfinished, text, { mode: OWNER_ONLY, flush: true });
      renameSync(unfinished, path);
      this.#lines = lines.length;
    });
  }

  /** Writes what could not be written before. */
  catchUp(): void {
    if (this.#isBehind) this.write();
  }

  /** Says once that the file cannot be written. */
  #try(write: () => void): void {
    try {
      write();
      if (this.#hasFailed) this.#logger.info('the mining ledger is written again');
      this.#hasFailed = false;
      this.#isBehind = false;
    } catch (error) {
      if (!this.#hasFailed)
        this.#logger.error(
          `the mining ledger cannot be written, which is tried again: ${(error as Error).message}`,
        );
      this.#hasFailed = true;
      this.#isBehind = true;
    }
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
