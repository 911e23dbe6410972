import type { Logger } from '@monero-node/base';
import { LEVELS, type Level, type LogLevels } from './log-levels.ts';

/** Receives finished lines. */
export interface LogSink {
  write(line: string, level: Level): void;
}

const LETTERS: Record<Level, string> = {
  FATAL: 'F',
  ERROR: 'E',
  WARNING: 'W',
  INFO: 'I',
  DEBUG: 'D',
  TRACE: 'T',
};

/** Returns `2026-01-31 09:05:07.123`, UTC, in monerod's format. */
function timestamp(now: Date): string {
  return now.toISOString().replace('T', ' ').slice(0, 23);
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

  child(category: string): Logger {
    return new LevelLogger(this.#levels, this.#sinks, category);
  }

  #log(level: Level, message: string): void {
    if (!this.#levels.allows(this.#category, LEVELS.indexOf(level))) return;
    const line = `${timestamp(new Date())}\t${LETTERS[level]}\t${this.#category}\t${message}\n`;
    for (const sink of this.#sinks) sink.write(line, level);
  }
}
