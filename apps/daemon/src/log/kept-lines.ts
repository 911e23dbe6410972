import type { LogSink, LogEntry } from './level-logger.ts';
import { LEVELS, type Level } from './log-levels.ts';

/** Lines that are kept for a crash report, and the longest part of each, in characters. */
const RECENT_LINES = 50;
const RECENT_LENGTH = 500;

/** Keeps the newest lines of the log in memory, for crash reports. */
export class RecentLines implements LogSink {
  readonly #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line.slice(0, RECENT_LENGTH).trimEnd());
    if (this.#lines.length > RECENT_LINES) this.#lines.shift();
  }

  /** The lines, oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }
}

/** Counts the lines of the log by level. */
export class LineCounts implements LogSink {
  readonly #counts = new Map<Level, number>(LEVELS.map((level) => [level, 0]));

  write(_line: string, { level }: LogEntry): void {
    this.#counts.set(level, (this.#counts.get(level) ?? 0) + 1);
  }

  /** Number of lines by level, from the most severe. */
  get counts(): ReadonlyMap<Level, number> {
    return this.#counts;
  }
}

/** Lines that are kept for the web page, which shows as many. */
export const NOTABLE_LINES = 100;
/** Longest part of a line that is kept for it, in characters. */
const NOTABLE_LENGTH = 400;
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
    const text = message.slice(0, NOTABLE_LENGTH).trimEnd();
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
