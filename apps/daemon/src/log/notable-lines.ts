import type { LogEntry, LogSink } from './level-logger.ts';

/** Lines that are kept for the web page, which shows as many. */
export const NOTABLE_LINES = 100;
/** Longest part of a line that is kept, in characters. */
const LENGTH = 400;
const SEVERE = new Set(['FATAL', 'ERROR', 'WARNING']);

/** A line that is kept. */
export interface NotableLine {
  /** Counts the lines from 1. */
  readonly number: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly level: string;
  readonly category: string;
  readonly text: string;
}

/** Keeps the newest lines that an operator should see: warnings, errors, and the main events of the node. */
export class NotableLines implements LogSink {
  readonly #lines: NotableLine[] = [];
  readonly #most: number;
  #count = 0;

  /** @param most lines that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  write(_line: string, { time, level, category, message }: LogEntry): void {
    const isEvent = level === 'INFO' && category === 'global';
    if (!isEvent && !SEVERE.has(level)) return;
    const text = message.slice(0, LENGTH).trimEnd();
    this.#lines.push({ number: ++this.#count, time: time.getTime(), level, category, text });
    if (this.#lines.length > this.#most) this.#lines.shift();
  }

  /** Number of the newest line; 0 before the first. */
  get newest(): number {
    return this.#count;
  }

  /** Returns the kept lines after one, oldest first. */
  after(number: number): readonly NotableLine[] {
    return this.#lines.filter((line) => line.number > number);
  }
}
