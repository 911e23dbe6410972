import { dirname } from 'node:path';
import { makeFolder } from '@monero-node/storage';
import { jsonSink, type LogFormat } from './json-sink.ts';
import { LogFile, type LogFileOptions, type LogTrouble } from './log-file.ts';
import { LineCounts, NOTABLE_LINES, NotableLines, RecentLines } from './kept-lines.ts';
import { LevelLogger, type LogSink } from './level-logger.ts';
import { LogLevels } from './log-levels.ts';
import { colorSink, wantsColors } from './color-sink.ts';
import { Terminal } from '../terminal/terminal.ts';

export interface Log {
  readonly logger: LevelLogger;
  readonly levels: LogLevels;
  /** The newest lines. */
  readonly recent: RecentLines;
  readonly lines: LineCounts;
  /** The newest lines that an operator should see. */
  readonly notable: NotableLines;
  /** Opens the file anew, after another program has renamed or removed it. */
  reopen(): void;
  /** Makes the file again when it was removed. Returns a sentence for the operator when it cannot be made. Never rejects. */
  restore(): Promise<string | undefined>;
  /** Writes all lines and closes the file. */
  close(): Promise<void>;
}

function openFile(options: LogFileOptions, onTrouble: LogTrouble): LogFile {
  try {
    makeFolder(dirname(options.path));
    return new LogFile(options, onTrouble);
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(`cannot open the log file ${options.path} (--log-file): ${why}`, {
      cause: error,
    });
  }
}

export interface LogOutput {
  readonly terminal: Terminal;
  /** Form of the lines of the file, and of standard output that is no terminal. */
  readonly format: LogFormat;
}

/** People read a terminal; programs read what comes out of a pipe. */
function screenSink({ terminal, format }: LogOutput): LogSink {
  if (terminal.stream.isTTY !== true && format === 'json') return jsonSink(terminal);
  return wantsColors(terminal.stream, process.env) ? colorSink(terminal) : terminal;
}

/**
 * Opens a log that writes to standard output and to a file. Throws Error, with the path and the cause, when the file cannot be
 * opened.
 */
export function openLog(
  levels: LogLevels,
  options: LogFileOptions,
  output: LogOutput = { terminal: new Terminal(process.stdout), format: 'text' },
): Log {
  const file = openFile(options, (trouble) => logger.child('logging').warn(trouble));
  const recent = new RecentLines();
  const lines = new LineCounts();
  const notable = new NotableLines(NOTABLE_LINES);
  const inFile = output.format === 'json' ? jsonSink(file) : file;
  const logger = new LevelLogger(levels, [screenSink(output), inFile, recent, lines, notable]);
  output.terminal.onLost = (lines) =>
    logger
      .child('logging')
      .warn(`${lines} lines are missing in standard output, because its reader was too slow`);
  const flush = (): void => file.flushSync();
  // For ends that do not wait for anything: process.exit, and an error that is thrown while the node stops.
  process.on('exit', flush);
  const reopen = async (): Promise<void> => {
    if (await file.reopen()) logger.info('log file reopened');
  };
  return {
    logger,
    levels,
    recent,
    lines,
    notable,
    reopen: () => void reopen(),
    restore: () => file.restore(),
    close: async () => {
      await file.close();
      process.off('exit', flush);
    },
  };
}
