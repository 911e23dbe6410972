import type { Logger } from '@monero-node/base';
import { LEVELS, type Level, type LogLevels } from './log-levels.ts';

/** A message of the log. */
export interface LogEntry {
  readonly time: Date;
  readonly level: Level;
  readonly category: string;
  readonly message: string;
}

/** Receives finished lines, and the entries that they are made of. */
export interface LogSink {
  write(line: string, entry: LogEntry): void;
}

const LETTERS: Record<Level, string> = {
  FATAL: 'F',
  ERROR: 'E',
  WARNING: 'W',
  INFO: 'I',
  DEBUG: 'D',
  TRACE: 'T',
};

/** The levels that callers ask about. */
const INDEX = {
  info: LEVELS.indexOf('INFO'),
  debug: LEVELS.indexOf('DEBUG'),
  trace: LEVELS.indexOf('TRACE'),
};

/** Returns `2026-01-31 09:05:07.123`, UTC, in monerod's format. */
function timestamp(now: Date): string {
  return now.toISOString().replace('T', ' ').slice(0, 23);
}

function textLine({ time, level, category, message }: LogEntry): string {
  return `${timestamp(time)}\t${LETTERS[level]}\t${category}\t${message}\n`;
}

/** Writes the messages that the levels allow to every sink, one line each. */
export class LevelLogger implements Logger {
  readonly #category: string;
  readonly #levels: LogLevels;
  readonly #sinks: readonly LogSink[];

  constructor(levels: LogLevels, sinks: readonly LogSink[], category = 'global') {
    this.#levels = levels;
    this.#sinks = sinks;
    this.#category = category;
  }

  error(message: string): void {
    this.#log('ERROR', message);
  }

  warn(message: string): void {
    this.#log('WARNING', message);
  }

  info(message: string): void {
    this.#log('INFO', message);
  }

  debug(message: string): void {
    this.#log('DEBUG', message);
  }

  trace(message: string): void {
    this.#log('TRACE', message);
  }

  writes(level: 'info' | 'debug' | 'trace'): boolean {
    return this.#levels.allows(this.#category, INDEX[level]);
  }

  child(category: string): Logger {
    return new LevelLogger(this.#levels, this.#sinks, category);
  }

  #log(level: Level, message: string): void {
    if (!this.#levels.allows(this.#category, LEVELS.indexOf(level))) return;
    const entry = { time: new Date(), level, category: this.#category, message };
    const line = textLine(entry);
    for (const sink of this.#sinks) sink.write(line, entry);
  }
}
