import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { LogFile, type LogFileOptions } from './log-file.ts';
import { RecentLines } from './recent-lines.ts';
import { streamSink } from './stream-sink.ts';
import { LevelLogger } from './level-logger.ts';
import { LogLevels } from './log-levels.ts';

export interface Log {
  readonly logger: LevelLogger;
  readonly levels: LogLevels;
  /** The newest lines. */
  readonly recent: RecentLines;
  close(): void;
}

/** Opens a log that writes to standard output and to a file. Throws when the file cannot be opened. */
export function openLog(levels: LogLevels, options: LogFileOptions): Log {
  mkdirSync(dirname(options.path), { recursive: true });
  const file = new LogFile(options, (trouble) => logger.child('logging').warn(trouble));
  const recent = new RecentLines();
  const logger = new LevelLogger(levels, [streamSink(process.stdout), file, recent]);
  return { logger, levels, recent, close: () => file.close() };
}
