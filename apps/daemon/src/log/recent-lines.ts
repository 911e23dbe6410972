import type { LogSink } from './level-logger.ts';

/** Lines that are kept, and the longest part of each, in characters. */
const LINES = 50;
const LENGTH = 500;

/** Keeps the newest lines of the log in memory, for crash reports. */
export class RecentLines implements LogSink {
  readonly #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line.slice(0, LENGTH).trimEnd());
    if (this.#lines.length > LINES) this.#lines.shift();
  }

  /** The lines, oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }
}
