import type { LogEntry, LogSink } from './level-logger.ts';
import { LEVELS, type Level } from './log-levels.ts';

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
